import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { addRefusal, spendRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { undoTransaction, useIdempotencyKey } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';
import { AmountField, BalanceOutcome, DescriptionField } from './amounts.tsx';

interface ChangeProps extends ActionProps {
  isTaking: boolean;
  /** What the palette was told. */
  initial?: number;
}

export function ChangeDialog({ isTaking, initial, member, kind, onChanged, onClose }: ChangeProps) {
  const { api, realm } = useRealm();
  const [typed, setTyped] = useState(initial ? formatNumber(initial) : '');
  const [description, setDescription] = useState('');
  const write = useIdempotencyKey();
  const amount = parseAmount(typed);
  const refusalOf = isTaking ? spendRefusal : addRefusal;
  const refusal = amount === null ? null : refusalOf(member, kind, realm, amount);
  const action = isTaking ? 'Take points' : 'Add points';
  const submit = async (): Promise<void> => {
    const tokens = isTaking ? -(amount ?? 0) : (amount ?? 0);
    const more = given({ realmPointId: kind.id, description });
    const done = await api.member(member.id).add(tokens, { ...more, ...write([tokens, more]) });
    const said = amountOf(Math.abs(tokens), kind);
    toast({
      text: `${said} ${isTaking ? 'taken from' : 'added to'} ${nameOf(member)}`,
      href: addresses.record(api.id, done.transactionId),
      undo: () => undoTransaction(api, done.transactionId).then(onChanged),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`${action} ${isTaking ? 'from' : 'to'} ${nameOf(member)}`}
      action={action}
      tone={isTaking ? 'danger' : 'primary'}
      canSubmit={amount !== null}
      fields={['tokens', 'description']}
      refusal={refusal}
      outcome={
        amount && <BalanceOutcome member={member} kind={kind} by={isTaking ? -amount : amount} />
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField kind={kind} value={typed} onInput={setTyped} />
      <DescriptionField value={description} onInput={setDescription} />
    </FormDialog>
  );
}
