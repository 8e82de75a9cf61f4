import { kind, type ProblemKind } from './problem-kind.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const REQUEST_NEW = 'Request a new one with POST …/wallets/challenge.';

/** What a challenge is bound to, by `field`. */
const boundTo: Record<string, string> = {
  realm: 'It was issued for another realm.',
  member: 'It was issued for another member.',
  address: 'It was issued for another address.',
  domain: 'It names a different domain than the issued one.',
  text: 'The message differs from the issued one.',
};

/** The problems of wallets and of proofs of ownership. */
export const walletProblems = {
  'wallet-taken': kind(
    409,
    'Wallet taken',
    (x) => `The wallet ${x.wallet} already belongs to member ${x.memberId}.`,
    { wallet: WALLET, memberId: '42' },
  ),
  'wallet-not-found': kind(
    404,
    'Wallet not found',
    (x) => `This member has no wallet ${x.wallet}.`,
    { wallet: WALLET },
  ),
  'challenge-not-found': kind(
    422,
    'Challenge not found',
    `This message is not a challenge of this realm. ${REQUEST_NEW}`,
  ),
  'challenge-mismatch': kind(
    422,
    'Challenge mismatch',
    (x) => `The challenge does not match. ${boundTo[String(x.field)]} ${REQUEST_NEW}`,
    { field: 'member' },
  ),
  'challenge-used': kind(
    409,
    'Challenge used',
    `This challenge has already been used. ${REQUEST_NEW}`,
  ),
  'challenge-expired': kind(
    422,
    'Challenge expired',
    (x) => `This challenge expired at ${x.expiredAt}. ${REQUEST_NEW}`,
    { expiredAt: '2026-11-14T09:40:00.000Z' },
  ),
  'signature-invalid': kind(
    422,
    'Signature invalid',
    (x) =>
      `This is not a signature of ${x.wallet} for this message. Sign the message exactly as ` +
      'issued. A contract wallet needs a chain that the service is connected to.',
    { wallet: WALLET },
  ),
  'chain-unavailable': kind(
    503,
    'Chain unavailable',
    (x) =>
      `The signature of a contract wallet is checked on ${x.chain}, which does not respond. ` +
      'Nothing was changed. Try again after the seconds in Retry-After.',
    { chain: 'eip155:1' },
  ),
} satisfies Record<string, ProblemKind>;
