import type { CommandOf, Proof } from '../commands.ts';
import {
  type Address,
  type Chain,
  type Challenge,
  MAX_CHALLENGES,
  MAX_CHALLENGES_FOR_WALLET,
} from '../model.ts';
import { Refused } from '../refusal.ts';
import { type Books, compare } from './books.ts';
import { refuseTakenWallet } from './wallet-ownership.ts';

/** Long enough to find one's hardware wallet, short enough that a leaked text is of no use. */
export const CHALLENGE_MS = 10 * 60 * 1000;

/** How the standards call an account of each kind. */
const accountNames: Record<Chain, string> = {
  eip155: 'Ethereum',
  solana: 'Solana',
  bitcoin: 'Bitcoin',
};

const NONCE = /^Nonce: ([A-Za-z0-9]{8,64})$/m;
const CHAIN_ID = /^Chain ID: ([0-9]{1,16})$/m;
const EXPIRATION = /^Expiration Time: (\S+)$/m;
const STATEMENT = /^Link this wallet to member (\S+) of realm (\S+)\.$/m;

/** Writes down a text for the member to sign. It is no change of the realm: no record of it. */
export function issueChallenge(
  books: Books,
  command: CommandOf<'wallet.challenge'>,
): { message: string; expiresAt: number } {
  const { memberId, wallet, network, nonce } = command;
  if (!books.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  refuseTakenWallet(books, memberId, wallet);
  const expiresAt = books.at + CHALLENGE_MS;
  const message = challengeText({
    siteUrl: books.realm.settings.siteUrl ?? command.serviceUrl,
    realmId: books.realmId,
    memberId,
    wallet,
    network,
    nonce,
    issuedAt: books.at,
    expiresAt,
  });
  const walletKey = wallet.key;
  dropOldest(books, memberId, MAX_CHALLENGES, () => true);
  dropOldest(books, memberId, MAX_CHALLENGES_FOR_WALLET, (one) => one.walletKey === walletKey);
  books.challenges.set(nonce, { nonce, memberId, walletKey, message, expiresAt, usedAt: null });
  return { message, expiresAt };
}

/**
 * Makes room for one more. Who asks again lost the text before, or will not come back to it: so the
 * oldest goes, and asking is never refused.
 */
function dropOldest(
  books: Books,
  memberId: string,
  most: number,
  counts: (challenge: Challenge) => boolean,
): void {
  const unused = books.challenges
    .values()
    .filter((one) => one.usedAt === null && one.memberId === memberId && counts(one))
    .toArray()
    .sort((a, b) => a.expiresAt - b.expiresAt || compare(a.nonce, b.nonce));
  for (const { nonce } of unused.slice(0, Math.max(unused.length - most + 1, 0))) {
    books.challenges.set(nonce, null);
  }
}

export interface ChallengeWords {
  siteUrl: string;
  realmId: string;
  memberId: string;
  wallet: Address;
  /** `eip155:<id>`, or the kind of address alone. */
  network: string;
  nonce: string;
  issuedAt: number;
  expiresAt: number;
}

/**
 * The text of ERC-4361 for EVM accounts, its Solana form, and the same in words for Bitcoin.
 * Wallets know the form: they show who asks, and warn when that is not the page they are on.
 */
export function challengeText(words: ChallengeWords): string {
  const { siteUrl, realmId, memberId, wallet, network, nonce, issuedAt, expiresAt } = words;
  const chainId = wallet.chain === 'eip155' ? (network.split(':')[1] ?? '1') : 'mainnet';
  return [
    `${hostOf(siteUrl)} wants you to sign in with your ${accountNames[wallet.chain]} account:`,
    wallet.address,
    '',
    `Link this wallet to member ${memberId} of realm ${realmId}.`,
    '',
    `URI: ${siteUrl}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(expiresAt).toISOString()}`,
  ].join('\n');
}

const hostOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

export const nonceOf = (message: string): string | null => NONCE.exec(message)?.[1] ?? null;

/** The chain on which a contract wallet is to be asked. */
export const networkOf = (message: string): string => `eip155:${CHAIN_ID.exec(message)?.[1] ?? 1}`;

/**
 * Whether a proof could be taken as far as its challenge goes: only then is a chain worth asking.
 * The last word is that of `useChallenge`, in the transaction.
 */
export function proofMatchesChallenge(
  challenge: Challenge | null,
  proof: { memberId: string; walletKey: string; message: string },
  now: number,
): boolean {
  if (!challenge || challenge.usedAt !== null || challenge.expiresAt <= now) return false;
  const { memberId, walletKey, message } = challenge;
  return memberId === proof.memberId && walletKey === proof.walletKey && message === proof.message;
}

/**
 * Takes a signed challenge, once. What was signed must be what was issued, to the letter: so the
 * realm, the member, the address, the domain and the time in it are all as they were.
 */
export function useChallenge(books: Books, memberId: string, wallet: Address, proof: Proof): void {
  const challenge = knownChallenge(books, proof.message);
  if (challenge.memberId !== memberId) refuseMismatch('member');
  if (challenge.walletKey !== wallet.key) refuseMismatch('address');
  if (challenge.message !== proof.message) refuseMismatch(alteredField(challenge, proof.message));
  if (challenge.usedAt !== null) throw new Refused('challenge-used');
  if (challenge.expiresAt <= books.at) refuseExpired(challenge.expiresAt);
  if (proof.check === 'no') throw new Refused('signature-invalid', { wallet: wallet.address });
  if (proof.check === 'unavailable') {
    throw new Refused('chain-unavailable', { chain: networkOf(proof.message) });
  }
  books.challenges.set(challenge.nonce, { ...challenge, usedAt: books.at });
}

/** Says as well as can be why a text is none of this realm's challenges. */
function knownChallenge(books: Books, message: string): Challenge {
  const challenge = books.challenges.get(nonceOf(message) ?? '');
  if (challenge) return challenge;
  const realmId = STATEMENT.exec(message)?.[2];
  if (realmId !== undefined && realmId !== books.realmId) refuseMismatch('realm');
  const expiresAt = Date.parse(EXPIRATION.exec(message)?.[1] ?? '');
  if (expiresAt <= books.at) refuseExpired(expiresAt);
  throw new Refused('challenge-not-found');
}

const [DOMAIN_LINE, ADDRESS_LINE, STATEMENT_LINE] = [0, 1, 3];

function alteredField({ message: issued }: Challenge, signed: string): string {
  const [before, after] = [issued.split('\n'), signed.split(/\r?\n/)];
  const line = before.findIndex((text, index) => text !== after[index]);
  if (line === DOMAIN_LINE) {
    return before[0]?.split(' ')[0] === after[0]?.split(' ')[0] ? 'text' : 'domain';
  }
  if (line === ADDRESS_LINE) return 'address';
  if (line !== STATEMENT_LINE) return 'text';
  const [, member, realmId] = STATEMENT.exec(signed) ?? [];
  const [, own, ownRealm] = STATEMENT.exec(issued) ?? [];
  if (member === own && realmId !== ownRealm) return 'realm';
  return member !== undefined && realmId === ownRealm ? 'member' : 'text';
}

function refuseMismatch(field: string): never {
  throw new Refused('challenge-mismatch', { field });
}

function refuseExpired(expiresAt: number): never {
  throw new Refused('challenge-expired', { expiredAt: new Date(expiresAt).toISOString() });
}
