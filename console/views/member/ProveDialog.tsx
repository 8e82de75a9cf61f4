import type { Member } from '@realmkeep/client';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { now } from '../../state/clock.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { shortId } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { CodeBlock, Time } from '../../ui/Values.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

interface ProveProps {
  member: Member;
  address: string;
  onChanged: () => void;
  onClose: () => void;
}

/** The member signs a text with the wallet; whoever can do that owns it. */
export function ProveDialog({ member, address, onChanged, onClose }: ProveProps) {
  const { api } = useRealm();
  const { challenge, error, renew } = useChallenge(member.id, address);
  const [signature, setSignature] = useState('');
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const proof = { message: challenge?.message ?? '', signature: signature.trim() };
    const proved = await api
      .member(member.id)
      .linkWallet(address, { ...proof, ...write([address, proof]) });
    toast({ text: `${nameOf(member)} proved ${shortId(proved.address, 6)}` });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      wide
      title={`Prove that ${nameOf(member)} owns this wallet`}
      action="Prove"
      canSubmit={challenge !== undefined && signature.trim() !== ''}
      fields={['signature']}
      outcome={
        <>
          If the signature is right, <span class="mono">{shortId(address, 8)}</span> is shown as
          proved by <Name member={member} />.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      {error && <ProblemNote error={error} retry={renew} />}
      {challenge && <ToSign {...challenge} onRenew={renew} />}
      {!challenge && !error && <Skeleton width={280} />}
      <TextAreaField
        label="Signature"
        name="signature"
        class="mono"
        rows={3}
        autoFocus
        value={signature}
        onInput={setSignature}
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
