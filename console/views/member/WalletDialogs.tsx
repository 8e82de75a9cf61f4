import type { Member, Wallet } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { shortId } from '../../text/format.ts';
import { CheckField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

interface DialogProps {
  member: Member;
  onChanged: () => void;
  onClose: () => void;
}

interface LinkProps extends DialogProps {
  /** Asks the member for a proof, instead of taking the reader's word. */
  onProve: (address: string) => void;
}

export function LinkDialog({ member, onProve, onChanged, onClose }: LinkProps) {
  const { api } = useRealm();
  const [typed, setTyped] = useState('');
  const [isProved, setProved] = useState(false);
  // As it was when the dialog opened: a wallet that was linked before is not for Undo to remove.
  const [before] = useState(member.wallets);
  const write = useIdempotencyKey();
  const address = typed.trim();
  const submit = async (): Promise<void> => {
    if (isProved) return onProve(address);
    const linked = await api.member(member.id).linkWallet(address, write(address));
    const wallet = shortId(linked.address, 6);
    if (before.includes(linked.address)) {
      toast({ text: `${wallet} was linked to ${nameOf(member)} already` });
    } else {
      toast({
        text: `${wallet} linked to ${nameOf(member)}`,
        undo: () => api.member(member.id).unlinkWallet(linked.address).then(onChanged),
      });
    }
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`Link a wallet to ${nameOf(member)}`}
      action={isProved ? 'Continue' : 'Link'}
      canSubmit={address !== ''}
      fields={['address']}
      outcome={
        isProved
          ? 'Next comes a text for the member to sign. The wallet is linked with the signature.'
          : 'It is linked on your word, without a proof that the member owns it.'
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        name="address"
        class="mono"
        value={typed}
        onInput={setTyped}
        placeholder="0x…"
        autoFocus
      />
      <CheckField
        label="The member proves it with a signature"
        checked={isProved}
        onChange={setProved}
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
    toast({ text: `${shortId(wallet.address, 6)} unlinked` });
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
          <Name member={member} /> loses <span class="mono">{shortId(wallet.address, 8)}</span>
          {wallet.verified && ' and its proof'}. It is free for others.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
