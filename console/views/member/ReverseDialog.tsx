import type { Kind, Transaction } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { reverseRefusal, reversible } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { Text } from '../../ui/Text.tsx';
import type { ActionProps } from './action.ts';
import { AmountField, BalanceOutcome } from './amounts.tsx';

interface ReverseProps extends ActionProps {
  transaction: Transaction;
}

/** Moves back what is left of a movement, or some of it. */
export function ReverseDialog({ member, transaction, kind, ...ends }: ReverseProps) {
  const { api } = useRealm();
  const { transactionId, tokens: moved, reversedTokens, counterpartyId, description } = transaction;
  const left = Math.abs(moved) - reversedTokens;
  const [typed, setTyped] = useState(formatNumber(reversible(member, kind, transaction)));
  const tokens = parseAmount(typed);
  const refusal = tokens === null ? null : reverseRefusal(member, kind, transaction, tokens);
  const submit = async (write: Write) => {
    const change = { tokens: tokens ?? 0 };
    const done = await api
      .transaction(transactionId)
      .reverse({ ...change, ...write([transactionId, change]) });
    return {
      text: reversedText(change.tokens, transaction, kind),
      href: addresses.record(api.id, done.transactionId),
    };
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
      {...ends}
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
