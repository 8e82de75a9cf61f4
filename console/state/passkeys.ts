import type { PasskeyChallenge } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { addPasskey, assertionFor, canOffer, canUse } from '../api/passkeys.ts';
import { service } from '../api/service.ts';
import { session, signIn } from './session.ts';

/** Shorter than the service accepts the answer to a challenge. */
const RENEW_MS = 4 * 60_000;

/** Where passkeys can be used; undefined until the service has said so. */
interface Passkeys {
  isHere: boolean | undefined;
  /** The address of the console at which they work. */
  origin: string;
}

const passkeysAt = (challenge: PasskeyChallenge | undefined): Passkeys => ({
  isHere: challenge && canUse(challenge),
  origin: challenge?.origin ?? '',
});

/** Whether this page can use passkeys. */
export function usePasskeys(): Passkeys {
  const [challenge, setChallenge] = useState<PasskeyChallenge>();
  useEffect(() => {
    service.createChallenge().then(setChallenge, () => {});
  }, []);
  return passkeysAt(challenge);
}

/** Signs in by a passkey: chosen in a field, where the browser offers it, or after `press`. */
export function usePasskeySignIn(onFailure: (error: Error) => void) {
  const [challenge, setChallenge] = useState<PasskeyChallenge>();
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    if (isPressed) return;
    const abort = new AbortController();
    void offer(abort.signal, setChallenge).catch(onFailure);
    return () => abort.abort();
  }, [isPressed]);
  const press = async (): Promise<void> => {
    setPressed(true);
    try {
      const assertion = await assertionFor(await service.createChallenge());
      await signIn({ assertion });
    } catch (error) {
      onFailure(error as Error);
      setPressed(false);
    }
  };
  return { ...passkeysAt(challenge), press, busy: isPressed };
}

/** Until one is chosen, with a new challenge before the last one ends. */
async function offer(
  signal: AbortSignal,
  onChallenge: (challenge: PasskeyChallenge) => void,
): Promise<void> {
  while (!signal.aborted) {
    const challenge = await service.createChallenge().catch(() => null);
    if (!challenge || signal.aborted) return;
    onChallenge(challenge);
    if (!canUse(challenge) || !(await canOffer())) return;
    const renewal = AbortSignal.timeout(RENEW_MS);
    const how = { mediation: 'conditional' as const, signal: AbortSignal.any([signal, renewal]) };
    const assertion = await assertionFor(challenge, how).catch(() => null);
    if (assertion) return signIn({ assertion });
    if (!renewal.aborted) return;
  }
}

/** Adds a passkey of the person who is signed in. */
export async function addOwnPasskey(): Promise<void> {
  const person = session.value?.person;
  if (!person) return;
  const { items } = await service.passkeys();
  await addPasskey(
    person,
    items.map(({ id }) => id),
  );
}

/** Makes the first owner, who goes on in place of the one-time link. */
export async function becomeOwner(name: string, idempotencyKey: string): Promise<void> {
  const before = session.value?.id;
  const { invitation } = await service.createOwner({ name, idempotencyKey });
  await signIn({ code: invitation?.split('#code=')[1] ?? '' });
  if (before) await service.endSession(before).catch(() => undefined);
}
