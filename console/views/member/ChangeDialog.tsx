import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { addRefusal, spendRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { undoTransaction } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';
import { AmountField, BalanceOutcome, DescriptionField } from './amounts.tsx';

interface ChangeProps extends ActionProps {
  isTaking: boolean;
  /** What the palette was told. */
  initial?: number;
}

export function ChangeDialog({ isTaking, initial, member, kind, ...ends }: ChangeProps) {
  const { api, realm } = useRealm();
  const { typed, field } = useForm({
    tokens: initial ? formatNumber(initial) : '',
    description: '',
  });
  const amount = parseAmount(typed.tokens);
  const refusalOf = isTaking ? spendRefusal : addRefusal;
  const refusal = amount === null ? null : refusalOf(member, kind, realm, amount);
  const action = isTaking ? 'Take points' : 'Add points';
  const submit = async (write: Write) => {
    const tokens = isTaking ? -(amount ?? 0) : (amount ?? 0);
    const more = given({ realmPointId: kind.id, description: typed.description });
    const done = await api.member(member.id).add(tokens, { ...more, ...write([tokens, more]) });
    const said = amountOf(Math.abs(tokens), kind);
    return {
      text: `${said} ${isTaking ? 'taken from' : 'added to'} ${nameOf(member)}`,
      href: addresses.record(api.id, done.transactionId),
      undo: () => undoTransaction(api, done.transactionId),
    };
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
      {...ends}
    >
      <AmountField kind={kind} {...field('tokens')} />
      <DescriptionField {...field('description')} />
    </FormDialog>
  );
}
