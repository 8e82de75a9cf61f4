import type { Kind, Member } from '@realmkeep/client';
import { formatNumber } from '../../text/format.ts';
import { TextField } from '../../ui/Field.tsx';
import { nameOf } from '../../ui/MemberName.tsx';

interface InputProps {
  value: string;
  onInput: (value: string) => void;
}

export function AmountField({ kind, hint, ...input }: InputProps & { kind: Kind; hint?: string }) {
  return (
    <TextField
      label={kind.name}
      name="tokens"
      class="number"
      inputMode="numeric"
      placeholder="50"
      autoFocus
      hint={hint}
      {...input}
    />
  );
}

export function DescriptionField(input: InputProps) {
  return (
    <TextField
      label="Reason"
      name="description"
      placeholder="Quest reward"
      hint="Shown in the statement. May be left empty."
      {...input}
    />
  );
}

/** "Alice: 1,250 → 1,200 points". */
export function Becomes(props: { member: Member; kind: Kind; from: number; to: number }) {
  const { member, kind, from, to } = props;
  const unit = kind.symbol ?? kind.name.toLowerCase();
  return (
    <>
      {nameOf(member)}: {formatNumber(from)} → <b>{formatNumber(to)}</b> {unit}
      {to < kind.minimumBalance && `. The lowest allowed balance is ${kind.minimumBalance}.`}
    </>
  );
}
