import type { Kind, Member, Transaction } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { reverseRefusal, reversible } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Text } from '../../ui/Text.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';
import { AmountField, BalanceOutcome } from './amounts.tsx';

interface ReverseProps {
  member: Member;
  transaction: Transaction;
  kind: Kind;
  onChanged: () => void;
  onClose: () => void;
}

/** Moves back what is left of a movement, or some of it. */
export function ReverseDialog(props: ReverseProps) {
  const { member, transaction, kind, onChanged, onClose } = props;
  const { api } = useRealm();
  const { transactionId, tokens: moved, reversedTokens, counterpartyId, description } = transaction;
  const left = Math.abs(moved) - reversedTokens;
  const [typed, setTyped] = useState(formatNumber(reversible(member, kind, transaction)));
  const write = useIdempotencyKey();
  const tokens = parseAmount(typed);
  const refusal = tokens === null ? null : reverseRefusal(member, kind, transaction, tokens);
  const submit = async (): Promise<void> => {
    const change = { tokens: tokens ?? 0 };
    const done = await api
      .transaction(transactionId)
      .reverse({ ...change, ...write([transactionId, change]) });
    toast({
      text: reversedText(change.tokens, transaction, kind),
      href: addresses.record(api.id, done.transactionId),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title="Undo this movement?"
      action="Undo"
      canSubmit={tokens !== null}
      fields={['tokens']}
      refusal={refusal}
      outcome={
        tokens && (
          <>
            <BalanceOutcome member={member} kind={kind} by={moved > 0 ? -tokens : tokens} />
            {description ? <Quoted text={description} /> : 'The movement'} is{' '}
            {tokens < left ? 'partly undone' : 'undone'}
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
        hint={`Up to ${formatNumber(left)}. Enter less to undo part.`}
      />
    </FormDialog>
  );
}

/** "Reversed 85 of 585: “Game night prize”". */
function reversedText(tokens: number, { tokens: moved, description }: Transaction, kind: Kind) {
  const whole = Math.abs(moved);
  const said = description ? formatNumber(whole) : amountOf(whole, kind);
  return `Reversed ${formatNumber(tokens)} of ${said}${description ? `: “${description}”` : ''}`;
}

const Quoted = ({ text }: { text: string }) => (
  <>
    “<Text value={text} />”
  </>
);
