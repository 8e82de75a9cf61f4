import type { Hold, Kind, Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { captureRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { MemberPicker } from '../../ui/MemberPicker.tsx';
import { undoTransaction } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';
import { AmountField, TransferOutcome } from './amounts.tsx';

interface EndProps extends ActionProps {
  hold: Hold;
}

/** Takes points on hold, all of them or some, or gives them to another member. */
export function CaptureDialog({ member, hold, kind, ...ends }: EndProps) {
  const { api, realm } = useRealm();
  const [typed, setTyped] = useState(formatNumber(hold.remaining));
  const [recipient, setRecipient] = useState<Member | null>(null);
  const [sought, setSought] = useState('');
  /** Whoever was typed but not picked is not to be passed over: the points would be gone. */
  const isDecided = recipient !== null || sought.trim() === '';
  const tokens = parseAmount(typed);
  const refusal = tokens === null ? null : captureRefusal(member, kind, hold, tokens);
  const submit = async (write: Write) => {
    const change = { tokens: tokens ?? 0, ...(recipient ? { recipientId: recipient.id } : {}) };
    const { transactionId } = await api.hold(hold.holdId).capture({ ...change, ...write(change) });
    const amount = amountOf(change.tokens, kind);
    return {
      text: capturedText(amount, member, recipient),
      href: addresses.record(api.id, transactionId),
      undo: () => undoTransaction(api, transactionId),
      undone: `${nameOf(member)} has ${amount} again, no longer on hold`,
    };
  };
  return (
    <FormDialog
      title="Capture points on hold"
      action={recipient ? 'Give' : 'Capture'}
      tone={recipient ? 'primary' : 'danger'}
      canSubmit={tokens !== null && isDecided}
      fields={['tokens', 'recipientId']}
      refusal={refusal}
      outcome={
        tokens && <TransferOutcome from={member} to={recipient} kind={kind} tokens={tokens} />
      }
      onSubmit={submit}
      {...ends}
    >
      <AmountField
        kind={kind}
        value={typed}
        onInput={setTyped}
        hint={`${formatNumber(hold.remaining)} are on hold. What you leave stays on hold.`}
      />
      {kind.isTransferable && realm.settings.transfers && (
        <MemberPicker
          label="Give them to"
          name="recipientId"
          picked={recipient}
          except={member.id}
          hint="Nobody, if it is left empty: they leave the realm."
          autoFocus={false}
          onPick={setRecipient}
          onType={setSought}
        />
      )}
    </FormDialog>
  );
}

const capturedText = (amount: string, from: Member, to: Member | null): string =>
  to
    ? `${nameOf(from)} gave ${amount} to ${nameOf(to)}`
    : `${amount} captured from ${nameOf(from)}`;

/** Some of a hold may have been taken before, or meanwhile: that is not released. */
export const releasedText = (member: Member, { tokens, captured }: Hold, kind: Kind): string =>
  `${nameOf(member)}: ${amountOf(tokens - captured, kind)} released`;

export function ReleaseDialog({ member, hold, kind, ...ends }: EndProps) {
  const { api } = useRealm();
  const amount = amountOf(hold.remaining, kind);
  const submit = async (write: Write) => {
    const released = await api.hold(hold.holdId).release(write('release'));
    return { text: releasedText(member, released, kind) };
  };
  return (
    <FormDialog
      title="Release these points?"
      action="Release"
      outcome={
        <>
          <Name member={member} /> has <b>{amount}</b> available again
          {member.status === 'frozen' && ' once unfrozen'}.
        </>
      }
      onSubmit={submit}
      {...ends}
    />
  );
}
