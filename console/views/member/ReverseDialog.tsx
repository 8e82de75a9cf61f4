import type { Kind, Transaction } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Text } from '../../ui/Text.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';
import { AmountField } from './amounts.tsx';

interface ReverseProps {
  transaction: Transaction;
  kind: Kind;
  onChanged: () => void;
  onClose: () => void;
}

/** Moves back what is left of a movement, or some of it. */
export function ReverseDialog({ transaction, kind, onChanged, onClose }: ReverseProps) {
  const { api } = useRealm();
  const { transactionId, tokens: moved, reversedTokens, counterpartyId, description } = transaction;
  const left = Math.abs(moved) - reversedTokens;
  const [typed, setTyped] = useState(formatNumber(left));
  const write = useIdempotencyKey();
  const tokens = parseAmount(typed);
  const submit = async (): Promise<void> => {
    const change = { tokens: tokens ?? 0 };
    const done = await api
      .transaction(transactionId)
      .reverse({ ...change, ...write([transactionId, change]) });
    toast({
      text: `${amountOf(change.tokens, kind)} moved back`,
      href: addresses.record(api.id, done.transactionId),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title="Undo this movement?"
      action="Undo"
      canSubmit={tokens !== null && tokens <= left}
      fields={['tokens']}
      outcome={
        tokens !== null && (
          <>
            {description && (
              <>
                “<Text value={description} />
                ”:{' '}
              </>
            )}
            <b>{amountOf(tokens, kind)}</b> {moved > 0 ? 'are taken back' : 'come back'}
            {counterpartyId && ', on both sides'}. The history shows both movements.
          </>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField
        kind={kind}
        value={typed}
        onInput={setTyped}
        hint={`All of it is ${formatNumber(left)}. Less leaves the rest as it is.`}
      />
    </FormDialog>
  );
}
