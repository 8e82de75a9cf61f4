import type { Member, Wallet } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { shortId } from '../../text/format.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

interface DialogProps {
  member: Member;
  onChanged: () => void;
  onClose: () => void;
}

export function LinkDialog({ member, onChanged, onClose }: DialogProps) {
  const { api } = useRealm();
  const [address, setAddress] = useState('');
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const text = address.trim();
    const linked = await api.member(member.id).linkWallet(text, write(text));
    toast({
      text: `${shortId(linked.address, 6)} belongs to ${nameOf(member)}`,
      undo: () => api.member(member.id).unlinkWallet(linked.address).then(onChanged),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`Link a wallet to ${nameOf(member)}`}
      action="Link"
      canSubmit={address.trim() !== ''}
      fields={['address']}
      outcome="It is linked on your word, without a proof that the member owns it."
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        name="address"
        class="mono"
        value={address}
        onInput={setAddress}
        placeholder="0x…"
        autoFocus
      />
    </FormDialog>
  );
}

export function UnlinkDialog({
  member,
  wallet,
  onChanged,
  onClose,
}: DialogProps & { wallet: Wallet }) {
  const { api } = useRealm();
  const submit = async (): Promise<void> => {
    await api.member(member.id).unlinkWallet(wallet.address);
    toast({ text: `${shortId(wallet.address, 6)} is unlinked` });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title="Unlink this wallet?"
      action="Unlink"
      tone="danger"
      canSubmit={true}
      outcome={
        <>
          {nameOf(member)} loses <span class="mono">{shortId(wallet.address, 8)}</span>
          {wallet.verified && ' and its proof'}. It is free for others.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
