import type { CurrentPerson, PasskeyChallenge, Sent } from '@realmkeep/client';
import { service } from './service.ts';

type Assertion = NonNullable<Sent<'createSession'>['assertion']>;

/** EdDSA, ES256 and RS256, the first best. */
const ALGORITHMS = [-8, -7, -257];

/** Passkeys belong to one address, and not every browser knows them. */
export const canUse = ({ origin }: PasskeyChallenge): boolean =>
  location.origin === origin && 'PublicKeyCredential' in globalThis;

/** Whether fields of the page can offer passkeys. */
export const canOffer = async (): Promise<boolean> =>
  (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;

/** Adds a passkey of this device, unless it has one of the same person. */
export async function addPasskey({ id, name }: CurrentPerson, known: string[]): Promise<void> {
  const { challenge, rpId } = await service.createChallenge();
  const made = await answered(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { id: rpId, name: 'Realmkeep' },
        user: { id: new TextEncoder().encode(id), name: name ?? id, displayName: name ?? id },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        excludeCredentials: known.map((one) => ({ type: 'public-key', id: bytesOf(one) })),
        attestation: 'none',
      },
    }),
  );
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  await service.createPasskey({
    clientDataJSON: textOf(clientDataJSON),
    attestationObject: textOf(attestationObject),
  });
}

/** Signs a challenge. `how` is quiet if a field offers it, until somebody chooses it. */
export async function assertionFor(
  { challenge, rpId }: PasskeyChallenge,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<Assertion> {
  const publicKey = { challenge: bytesOf(challenge), rpId, userVerification: 'preferred' as const };
  const found = await answered(() => navigator.credentials.get({ ...how, publicKey }));
  const response = found.response as AuthenticatorAssertionResponse;
  return {
    id: textOf(found.rawId),
    clientDataJSON: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

/** Browsers do not say why: who cancels, and who is too late, look the same. */
const REASONS: Record<string, string> = {
  NotAllowedError: 'No passkey was used: it was cancelled, or took too long.',
  InvalidStateError: 'This device has a passkey of yours already.',
  SecurityError: 'The browser allows no passkeys at this address.',
};

async function answered(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const found = await ask().catch((error) => {
    throw REASONS[error.name] ? new Error(REASONS[error.name], { cause: error }) : error;
  });
  if (found instanceof PublicKeyCredential) return found;
  throw new Error(REASONS.NotAllowedError);
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
