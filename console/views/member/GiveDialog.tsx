import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { spendRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { amountOf } from '../../text/sentence.ts';
import { useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { MemberPicker } from '../../ui/MemberPicker.tsx';
import { undoTransaction } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';
import { AmountField, DescriptionField, TransferOutcome } from './amounts.tsx';

export function GiveDialog({ member, kind, ...ends }: ActionProps) {
  const { api, realm } = useRealm();
  const [recipient, setRecipient] = useState<Member | null>(null);
  const { typed, field } = useForm({ tokens: '', description: '' });
  const tokens = parseAmount(typed.tokens);
  const refusal = tokens === null ? null : spendRefusal(member, kind, realm, tokens);
  const submit = async (write: Write) => {
    if (!recipient || tokens === null) return;
    const more = given({ realmPointId: kind.id, description: typed.description });
    const { transactionId } = await api
      .member(member.id)
      .transfer(recipient.id, tokens, { ...more, ...write([recipient.id, tokens, more]) });
    return {
      text: `${nameOf(member)} gave ${amountOf(tokens, kind)} to ${nameOf(recipient)}`,
      href: addresses.record(api.id, transactionId),
      undo: () => undoTransaction(api, transactionId),
    };
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
      {...ends}
    >
      <MemberPicker
        label="To"
        name="recipientId"
        picked={recipient}
        except={member.id}
        onPick={setRecipient}
      />
      <AmountField kind={kind} autoFocus={false} {...field('tokens')} />
      <DescriptionField {...field('description')} />
    </FormDialog>
  );
}
