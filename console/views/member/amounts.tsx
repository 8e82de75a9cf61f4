import type { Kind, Member } from '@realmkeep/client';
import { amountFault } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { unitOf } from '../../text/sentence.ts';
import { TextField } from '../../ui/Field.tsx';
import { Name } from '../../ui/MemberName.tsx';

interface InputProps {
  value: string;
  onInput: (value: string) => void;
}

interface AmountProps extends InputProps {
  kind: Kind;
  hint?: string;
  /** Whether it is the field that one begins with. */
  autoFocus?: boolean;
}

export function AmountField({ kind, hint, autoFocus = true, ...input }: AmountProps) {
  return (
    <TextField
      label={kind.name}
      name="tokens"
      class="number"
      inputMode="numeric"
      placeholder="50"
      autoFocus={autoFocus}
      hint={amountFault(input.value) ?? hint}
      {...input}
    />
  );
}

export function DescriptionField({
  hint = 'Shown in the statement. Optional.',
  ...input
}: InputProps & { hint?: string }) {
  return (
    <TextField
      label="Reason"
      name="description"
      placeholder="Quest reward"
      hint={hint}
      {...input}
    />
  );
}

interface OutcomeProps {
  member: Member;
  kind: Kind;
  /** How the balance changes. */
  by: number;
}

/** "Alice: 1,250 → 1,200 points". */
export function BalanceOutcome({ member, kind, by }: OutcomeProps) {
  const from = BigInt(member.balances[kind.id] ?? 0);
  return (
    <div>
      <Name member={member} />: {formatNumber(from)} → <b>{formatNumber(from + BigInt(by))}</b>{' '}
      {unitOf(kind)}
    </div>
  );
}

/** The same of both sides, where there are two. */
export function TransferOutcome(props: {
  from: Member;
  to: Member | null;
  kind: Kind;
  tokens: number;
}) {
  const { from, to, kind, tokens } = props;
  return (
    <>
      <BalanceOutcome member={from} kind={kind} by={-tokens} />
      {to && <BalanceOutcome member={to} kind={kind} by={tokens} />}
    </>
  );
}
