import type { Kind, Transaction } from '@realmkeep/client';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { undoTransaction } from '../../ui/writes.ts';

interface ReverseProps {
  transaction: Transaction;
  kind: Kind;
  onChanged: () => void;
  onClose: () => void;
}

export function ReverseDialog({ transaction, kind, onChanged, onClose }: ReverseProps) {
  const { api } = useRealm();
  const { transactionId, tokens, reversedTokens, counterpartyId, description } = transaction;
  const amount = amountOf(Math.abs(tokens) - reversedTokens, kind);
  const submit = async (): Promise<void> => {
    await undoTransaction(api, transactionId);
    toast({ text: `${amount} moved back` });
    onChanged();
    onClose();
  };
  const back = tokens > 0 ? 'are taken back' : 'come back';
  return (
    <FormDialog
      title="Undo this movement?"
      action="Undo"
      canSubmit={true}
      outcome={
        <>
          {description && <>“{description}”: </>}
          <b>{amount}</b> {back}
          {counterpartyId && ', on both sides'}. The history shows both movements.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
