import type { Member, Wallet } from '@realmkeep/client';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { now } from '../../state/clock.ts';
import { useRealm } from '../../state/realm.ts';
import { shortId } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckField, TextAreaField, TextField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { CodeBlock, Time } from '../../ui/Values.tsx';
import type { Ends } from './action.ts';

interface DialogProps extends Ends {
  member: Member;
}

interface LinkProps extends DialogProps {
  /** Asks the member for a proof, instead of taking the reader's word. */
  onProve: (address: string) => void;
}

export function LinkDialog({ member, onProve, ...ends }: LinkProps) {
  const { api } = useRealm();
  const { typed, field, check } = useForm({ address: '', isProved: false });
  const { isProved } = typed;
  // As it was when the dialog opened: a wallet that was linked before is not for Undo to remove.
  const [before] = useState(member.wallets);
  const address = typed.address.trim();
  const submit = async (write: Write) => {
    if (isProved) {
      onProve(address);
      return;
    }
    const linked = await api.member(member.id).linkWallet(address, write(address));
    const wallet = shortId(linked.address, 6);
    if (before.includes(linked.address)) {
      return { text: `${wallet} was linked to ${nameOf(member)} already` };
    }
    return {
      text: `${wallet} linked to ${nameOf(member)}`,
      undo: () => api.member(member.id).unlinkWallet(linked.address),
    };
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
      {...ends}
    >
      <TextField label="Address" class="mono" placeholder="0x…" autoFocus {...field('address')} />
      <CheckField label="The member proves it with a signature" {...check('isProved')} />
    </FormDialog>
  );
}

export function UnlinkDialog({ member, wallet, ...ends }: DialogProps & { wallet: Wallet }) {
  const { api } = useRealm();
  const submit = async () => {
    await api.member(member.id).unlinkWallet(wallet.address);
    return { text: `${shortId(wallet.address, 6)} unlinked` };
  };
  return (
    <FormDialog
      title="Unlink this wallet?"
      action="Unlink"
      tone="danger"
      outcome={
        <>
          <Name member={member} /> loses <span class="mono">{shortId(wallet.address, 8)}</span>
          {wallet.verified && ' and its proof'}. It is free for others.
        </>
      }
      onSubmit={submit}
      {...ends}
    />
  );
}

interface ProveProps extends Ends {
  member: Member;
  address: string;
}

/** The member signs a text with the wallet; whoever can do that owns it. */
export function ProveDialog({ member, address, ...ends }: ProveProps) {
  const { api } = useRealm();
  const { challenge, error, renew } = useChallenge(member.id, address);
  const { typed, field } = useForm({ signature: '' });
  const signature = typed.signature.trim();
  const submit = async (write: Write) => {
    const proof = { message: challenge?.message ?? '', signature };
    const proved = await api
      .member(member.id)
      .linkWallet(address, { ...proof, ...write([address, proof]) });
    return { text: `${nameOf(member)} proved ${shortId(proved.address, 6)}` };
  };
  return (
    <FormDialog
      wide
      title={`Prove that ${nameOf(member)} owns this wallet`}
      action="Prove"
      canSubmit={challenge !== undefined && signature !== ''}
      fields={['signature']}
      outcome={
        <>
          If the signature is right, <span class="mono">{shortId(address, 8)}</span> is shown as
          proved by <Name member={member} />.
        </>
      }
      onSubmit={submit}
      {...ends}
    >
      {error && <ProblemNote error={error} retry={renew} />}
      {challenge && <ToSign {...challenge} onRenew={renew} />}
      {!challenge && !error && <Skeleton width={280} />}
      <TextAreaField
        label="Signature"
        class="mono"
        rows={3}
        autoFocus
        {...field('signature')}
        hint="As the wallet shows it: 0x… for Ethereum, base58 or base64 for the others."
      />
    </FormDialog>
  );
}

interface Challenge {
  message: string;
  expiresAt: string;
}

function ToSign({ message, expiresAt, onRenew }: Challenge & { onRenew: () => void }) {
  const isExpired = Date.parse(expiresAt) <= now.value;
  return (
    <div class="stack tight">
      <p>The member signs this text with the wallet, unchanged:</p>
      <CodeBlock code={message} label="Copy the text" />
      <p class="caption row">
        <span>
          Valid once. {isExpired ? 'Expired' : 'Expires'} <Time at={expiresAt} />
        </span>
        {isExpired && (
          <Button small onClick={onRenew}>
            Get another text
          </Button>
        )}
      </p>
    </div>
  );
}

/** A text to sign: the same until another one is asked for. */
function useChallenge(memberId: string, address: string) {
  const { api } = useRealm();
  const [challenge, setChallenge] = useState<Challenge>();
  const [error, setError] = useState<Error>();
  const renew = useCallback(() => {
    setError(undefined);
    setChallenge(undefined);
    api.member(memberId).challengeWallet(address).then(setChallenge, setError);
  }, [api, memberId, address]);
  useEffect(renew, [renew]);
  return { challenge, error, renew };
}
