import { useState } from 'preact/hooks';
import { given } from '../../api/service.ts';
import { spendRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { SelectField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { undoHold, useIdempotencyKey } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';
import { AmountField, DescriptionField } from './amounts.tsx';
import { releasedText } from './HoldEnds.tsx';

const LASTS = [
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
  { value: '2592000', label: '30 days' },
];

const SHOWN = 'Shown in the statement once they are captured. Optional.';

export function HoldDialog({ member, kind, onChanged, onClose }: ActionProps) {
  const { api, realm } = useRealm();
  const [typed, setTyped] = useState('');
  const [seconds, setSeconds] = useState('3600');
  const [description, setDescription] = useState('');
  const write = useIdempotencyKey();
  const tokens = parseAmount(typed);
  const refusal = tokens === null ? null : spendRefusal(member, kind, realm, tokens);
  const available = member.available[kind.id] ?? 0;
  const submit = async (): Promise<void> => {
    const more = given({ realmPointId: kind.id, expiresInSeconds: Number(seconds), description });
    const hold = await api
      .member(member.id)
      .hold(tokens ?? 0, { ...more, ...write([tokens, more]) });
    toast({
      text: `${nameOf(member)}: ${amountOf(hold.tokens, kind)} put on hold`,
      undo: async () => {
        const released = await undoHold(api, hold.holdId);
        onChanged();
        return releasedText(member, released, kind);
      },
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`Put ${nameOf(member)}’s points on hold`}
      action="Put on hold"
      canSubmit={tokens !== null}
      fields={['tokens', 'expiresInSeconds', 'description']}
      refusal={refusal}
      outcome={
        tokens && (
          <>
            <Name member={member} /> keeps the points, but only{' '}
            <b>{formatNumber(BigInt(available) - BigInt(tokens))}</b> of them stay available until
            the rest is captured or released.
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
        hint={`${formatNumber(available)} available.`}
      />
      <SelectField
        label="For"
        name="expiresInSeconds"
        value={seconds}
        choices={LASTS}
        onChange={setSeconds}
        hint="After that they are released by themselves."
      />
      <DescriptionField hint={SHOWN} value={description} onInput={setDescription} />
    </FormDialog>
  );
}
