import { given } from '../../api/service.ts';
import { spendRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { SelectField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { undoHold } from '../../ui/writes.ts';
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

export function HoldDialog({ member, kind, ...ends }: ActionProps) {
  const { api, realm } = useRealm();
  const form = useForm({ tokens: '', expiresInSeconds: '3600', description: '' });
  const { description, expiresInSeconds } = form.typed;
  const tokens = parseAmount(form.typed.tokens);
  const refusal = tokens === null ? null : spendRefusal(member, kind, realm, tokens);
  const available = member.available[kind.id] ?? 0;
  const submit = async (write: Write) => {
    const terms = { expiresInSeconds: Number(expiresInSeconds), description };
    const more = given({ realmPointId: kind.id, ...terms });
    const hold = await api
      .member(member.id)
      .hold(tokens ?? 0, { ...more, ...write([tokens, more]) });
    return {
      text: `${nameOf(member)}: ${amountOf(hold.tokens, kind)} put on hold`,
      undo: async () => {
        const released = await undoHold(api, hold.holdId);
        return releasedText(member, released, kind);
      },
    };
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
      {...ends}
    >
      <AmountField
        kind={kind}
        hint={`${formatNumber(available)} available.`}
        {...form.field('tokens')}
      />
      <SelectField
        label="For"
        choices={LASTS}
        hint="After that they are released by themselves."
        {...form.choice('expiresInSeconds')}
      />
      <DescriptionField hint={SHOWN} {...form.field('description')} />
    </FormDialog>
  );
}
