import { kind, type ProblemKind } from './problem-kind.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const ASK_AGAIN = 'Ask for a new one with POST …/wallets/challenge.';

/** What a challenge was issued for, by the name that `field` has. */
const boundTo: Record<string, string> = {
  realm: 'It was issued for another realm.',
  member: 'It was issued for another member.',
  address: 'It was issued for another address.',
  domain: 'It names another domain than the one it was issued with.',
  text: 'The signed text is not the text that was issued, to the letter.',
};

/** The problems of wallets and of proofs that they are somebody's own. */
export const walletProblems = {
  'wallet-taken': kind(
    409,
    'Wallet taken',
    (x) => `The wallet ${x.wallet} belongs to member ${x.memberId}.`,
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
    `This text is no challenge of this realm. ${ASK_AGAIN}`,
  ),
  'challenge-mismatch': kind(
    422,
    'Challenge mismatch',
    (x) => `The challenge does not fit. ${boundTo[String(x.field)]} ${ASK_AGAIN}`,
    { field: 'member' },
  ),
  'challenge-used': kind(
    409,
    'Challenge used',
    `This challenge was used already; each is good for one proof. ${ASK_AGAIN}`,
  ),
  'challenge-expired': kind(
    422,
    'Challenge expired',
    (x) => `This challenge was good until ${x.expiredAt}. ${ASK_AGAIN}`,
    { expiredAt: '2026-11-14T09:40:00.000Z' },
  ),
  'signature-invalid': kind(
    422,
    'Signature invalid',
    (x) =>
      `The signature is not that of ${x.wallet} under this text. Sign the text exactly as it ` +
      'was issued. A contract wallet needs a chain that the service is connected to.',
    { wallet: WALLET },
  ),
  'chain-unavailable': kind(
    503,
    'Chain unavailable',
    (x) =>
      `Only ${x.chain} can tell whether this contract wallet signed, and it does not answer. ` +
      'Nothing was changed; try again after the seconds in Retry-After.',
    { chain: 'eip155:1' },
  ),
} satisfies Record<string, ProblemKind>;
