import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { spendRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { parseAmount } from '../../text/amounts.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { MemberPicker } from '../../ui/MemberPicker.tsx';
import { undoTransaction, useIdempotencyKey } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';
import { AmountField, DescriptionField, TransferOutcome } from './amounts.tsx';

export function GiveDialog({ member, kind, onChanged, onClose }: ActionProps) {
  const { api, realm } = useRealm();
  const [recipient, setRecipient] = useState<Member | null>(null);
  const [typed, setTyped] = useState('');
  const [description, setDescription] = useState('');
  const write = useIdempotencyKey();
  const tokens = parseAmount(typed);
  const refusal = tokens === null ? null : spendRefusal(member, kind, realm, tokens);
  const submit = async (): Promise<void> => {
    if (!recipient || tokens === null) return;
    const more = given({ realmPointId: kind.id, description });
    const { transactionId } = await api
      .member(member.id)
      .transfer(recipient.id, tokens, { ...more, ...write([recipient.id, tokens, more]) });
    toast({
      text: `${nameOf(member)} gave ${amountOf(tokens, kind)} to ${nameOf(recipient)}`,
      href: addresses.record(api.id, transactionId),
      undo: () => undoTransaction(api, transactionId).then(onChanged),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`Give ${nameOf(member)}’s points`}
      action="Give"
      canSubmit={recipient !== null && tokens !== null}
      fields={['tokens', 'recipientId', 'description']}
      refusal={refusal}
      outcome={
        recipient &&
        tokens && <TransferOutcome from={member} to={recipient} kind={kind} tokens={tokens} />
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <MemberPicker
        label="To"
        name="recipientId"
        picked={recipient}
        except={member.id}
        onPick={setRecipient}
      />
      <AmountField kind={kind} value={typed} onInput={setTyped} autoFocus={false} />
      <DescriptionField value={description} onInput={setDescription} />
    </FormDialog>
  );
}
