import type { Hold, Kind, Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { formatNumber, parseAmount } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { undoTransaction, useIdempotencyKey } from '../../ui/writes.ts';
import { AmountField, Becomes } from './amounts.tsx';

interface EndProps {
  member: Member;
  hold: Hold;
  kind: Kind;
  onChanged: () => void;
  onClose: () => void;
}

/** Takes points that were set aside: all of them, or some. */
export function CaptureDialog({ member, hold, kind, onChanged, onClose }: EndProps) {
  const { api } = useRealm();
  const [typed, setTyped] = useState(formatNumber(hold.remaining));
  const write = useIdempotencyKey();
  const tokens = parseAmount(typed);
  const balance = member.balances[kind.id] ?? 0;
  const submit = async (): Promise<void> => {
    const change = { tokens: tokens ?? 0 };
    const { transactionId } = await api.hold(hold.holdId).capture({ ...change, ...write(change) });
    toast({
      text: `${amountOf(change.tokens, kind)} taken from ${nameOf(member)}`,
      href: addresses.record(api.id, transactionId),
      undo: () => undoTransaction(api, transactionId).then(onChanged),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title="Take what was set aside"
      action="Take points"
      tone="danger"
      canSubmit={tokens !== null}
      fields={['tokens']}
      outcome={
        tokens !== null && (
          <Becomes member={member} kind={kind} from={balance} to={balance - tokens} />
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField
        kind={kind}
        value={typed}
        onInput={setTyped}
        hint={`${formatNumber(hold.remaining)} are set aside. What you leave stays set aside.`}
      />
    </FormDialog>
  );
}

export function ReleaseDialog({ member, hold, kind, onChanged, onClose }: EndProps) {
  const { api } = useRealm();
  const write = useIdempotencyKey();
  const amount = amountOf(hold.remaining, kind);
  const submit = async (): Promise<void> => {
    await api.hold(hold.holdId).release(write('release'));
    toast({ text: `${amount} of ${nameOf(member)} released` });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title="Release these points?"
      action="Release"
      canSubmit={true}
      outcome={
        <>
          {nameOf(member)} can spend <b>{amount}</b> again.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
