import type { AnswerTo, CommandOf, Proof } from '../commands.ts';
import type { OwnedWallet } from '../facts.ts';
import { type Address, type Chain, type Challenge, MAX_CHALLENGES, MAX_WALLETS } from '../model.ts';
import { Refused, refuseBeyond } from '../refusal.ts';
import { type Books, compareText } from './books.ts';
import { iso } from './time.ts';

/** Long enough to fetch a hardware wallet, short enough to make a leaked signature useless. */
export const CHALLENGE_MS = 10 * 60 * 1000;

/** Long enough to find another device, short enough for a link that others may see. */
const INVITATION_MS = 15 * 60 * 1000;

/** What the standards call an account of each chain. */
const accountNames: Record<Chain, string> = {
  eip155: 'Ethereum',
  solana: 'Solana',
  bitcoin: 'Bitcoin',
};

const NONCE = /^Nonce: ([A-Za-z0-9]{8,64})$/m;
const CHAIN_ID = /^Chain ID: ([0-9]{1,16})$/m;
const EXPIRATION = /^Expiration Time: (\S+)$/m;
const STATEMENT = /^Link this wallet to member (\S+) of realm (\S+)\.$/m;

const ownerOf = ({ memberId }: OwnedWallet): string => memberId;

/** In the order of a query: the primary one first. */
export const walletsOf = ({ wallets }: Books, memberId: string): OwnedWallet[] =>
  [...wallets.group(ownerOf, memberId).values()].sort(
    (a, b) =>
      Number(b.primary) - Number(a.primary) || a.linkedAt - b.linkedAt || compareText(a.key, b.key),
  );

/** A wallet has one owner in a realm. Not even a proof moves it: it has to be unlinked first. */
export function refuseTakenWallet(books: Books, memberId: string, wallet: Address): void {
  const owner = books.wallets.get(wallet.key)?.memberId;
  if (owner !== undefined && owner !== memberId) {
    throw new Refused('wallet-taken', { wallet: wallet.address, memberId: owner });
  }
}

/** Linking it again can only change `primary`; proving it again updates `verifiedAt`. */
export function linkWallet(books: Books, command: CommandOf<'wallet.link'>): OwnedWallet {
  const { memberId, wallet, primary, proof } = command;
  books.requireMember(memberId);
  refuseTakenWallet(books, memberId, wallet);
  if (proof) useChallenge(books, memberId, wallet, proof);
  const linked = attachWallet(books, memberId, wallet, primary);
  if (!proof) return linked;
  const { message, signature } = proof;
  const verifiedOn = proof.check === 'by-contract' ? networkOf(message) : null;
  const verified = { ...linked, verifiedAt: books.now, verifiedOn };
  books.wallets.set(wallet.key, verified);
  const { address, chain } = wallet;
  // The text and the signature are recorded so that anyone with the journal can check the proof.
  books.record('wallet.verified', { memberId, address, chain, verifiedOn, message, signature });
  return verified;
}

/** Links a wallet that is not another member's. The first one is primary until another one is. */
export function attachWallet(
  books: Books,
  memberId: string,
  { key, address, chain }: Address,
  makePrimary: boolean,
): OwnedWallet {
  const count = books.wallets.group(ownerOf, memberId).size;
  const known = books.wallets.get(key);
  const primary = makePrimary || known?.primary === true || count === 0;
  if (known && known.primary === primary) return known;
  if (!known) refuseBeyond(MAX_WALLETS, count, 'wallets of a member');
  if (primary) {
    const [before] = walletsOf(books, memberId);
    if (before) books.wallets.set(before.key, { ...before, primary: false });
  }
  const linked: OwnedWallet = {
    key,
    address,
    chain,
    primary,
    verifiedAt: known?.verifiedAt ?? null,
    verifiedOn: known?.verifiedOn ?? null,
    linkedAt: known?.linkedAt ?? books.now,
    memberId,
  };
  books.wallets.set(key, linked);
  books.record('wallet.linked', { memberId, address, chain, primary });
  return linked;
}

/** If it was the primary one, the first linked of the others becomes so; the record names it. */
export function unlinkWallet(books: Books, command: CommandOf<'wallet.unlink'>): null {
  const { memberId, walletKey } = command;
  books.requireMember(memberId);
  const wallets = walletsOf(books, memberId);
  const wallet = wallets.find(({ key }) => key === walletKey);
  if (!wallet) throw new Refused('wallet-not-found', { wallet: command.address });
  const { address, chain } = wallet;
  const next = wallet.primary ? wallets.find(({ key }) => key !== walletKey) : undefined;
  books.wallets.set(walletKey, null);
  if (next) books.wallets.set(next.key, { ...next, primary: true });
  const newPrimary = next && { newPrimary: next.address };
  books.record('wallet.unlinked', { memberId, address, chain, ...newPrimary });
  return null;
}

const unusedOf = (challenge: Challenge): string | null =>
  challenge.usedAt === null ? challenge.memberId : null;

export const unusedChallenges = (books: Books, memberId: string): Challenge[] => [
  ...books.challenges.group(unusedOf, memberId).values(),
];

/** Issues a text for the member to sign. The journal has no record of it. */
export function issueChallenge(
  books: Books,
  command: CommandOf<'wallet.challenge'>,
): AnswerTo<'wallet.challenge'> {
  const { memberId, wallet, nonce } = command;
  books.requireMember(memberId);
  refuseTakenWallet(books, memberId, wallet);
  const expiresAt = books.now + CHALLENGE_MS;
  const siteUrl = command.siteUrl ?? books.realm.settings.siteUrl ?? command.serviceUrl;
  const message = challengeText(command, siteUrl, books.now, expiresAt);
  const walletKey = wallet.key;
  deleteOldest(books, memberId);
  books.challenges.set(nonce, { nonce, memberId, walletKey, message, expiresAt, usedAt: null });
  return { memberId, message, expiresAt };
}

/** Rather than to refuse: a caller who requests another one has most likely lost the first. */
function deleteOldest(books: Books, memberId: string): void {
  const unused = unusedChallenges(books, memberId);
  if (unused.length < MAX_CHALLENGES) return;
  unused.sort((a, b) => b.expiresAt - a.expiresAt || compareText(b.nonce, a.nonce));
  for (const { nonce } of unused.slice(MAX_CHALLENGES - 1)) books.challenges.set(nonce, null);
}

type ChallengeFields = Pick<
  CommandOf<'wallet.challenge'>,
  'realmId' | 'memberId' | 'wallet' | 'network' | 'nonce'
>;

/** ERC-4361 and its like. Wallets parse it: they show the site, and warn on another one. */
export function challengeText(
  { realmId, memberId, wallet, network, nonce }: ChallengeFields,
  siteUrl: string,
  issuedAt: number,
  expiresAt: number,
): string {
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
    `Issued At: ${iso(issuedAt)}`,
    `Expiration Time: ${iso(expiresAt)}`,
  ].join('\n');
}

/** The journal has no record of it, nor has it the code of the page. */
export function inviteWallet(
  books: Books,
  { memberId }: CommandOf<'wallet.invite'>,
): AnswerTo<'wallet.invite'> {
  books.requireMember(memberId);
  return { memberId, expiresAt: books.now + INVITATION_MS };
}

const hostOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

export const nonceOf = (message: string): string | null => NONCE.exec(message)?.[1] ?? null;

/** The chain whose contract is to verify the signature. */
export const networkOf = (message: string): string => `eip155:${CHAIN_ID.exec(message)?.[1] ?? 1}`;

/** Only then is it worth checking on a chain. `useChallenge` checks the same in the transaction. */
export function proofMatchesChallenge(
  challenge: Challenge | null,
  proof: { memberId: string; walletKey: string; message: string },
  now: number,
): boolean {
  if (!challenge || challenge.usedAt !== null || challenge.expiresAt <= now) return false;
  const { memberId, walletKey, message } = challenge;
  return memberId === proof.memberId && walletKey === proof.walletKey && message === proof.message;
}

/** Once. The signed text must be the issued one, with its realm, member, address and expiry. */
function useChallenge(books: Books, memberId: string, wallet: Address, proof: Proof): void {
  const { message, check } = proof;
  const challenge = challengeFor(books, message);
  if (challenge.memberId !== memberId) refuseMismatch('member');
  if (challenge.walletKey !== wallet.key) refuseMismatch('address');
  if (challenge.message !== message) refuseMismatch(alteredField(challenge.message, message));
  if (challenge.usedAt !== null) throw new Refused('challenge-used');
  if (challenge.expiresAt <= books.now) refuseExpired(challenge.expiresAt);
  if (check === 'no') throw new Refused('signature-invalid', { wallet: wallet.address });
  if (check === 'unavailable') {
    throw new Refused('chain-unavailable', { chain: networkOf(message) });
  }
  books.challenges.set(challenge.nonce, { ...challenge, usedAt: books.now });
}

/** Finds the challenge of a signed text, or refuses with the most likely reason it is missing. */
function challengeFor(books: Books, message: string): Challenge {
  const challenge = books.challenges.get(nonceOf(message) ?? '');
  if (challenge) return challenge;
  const realmId = STATEMENT.exec(message)?.[2];
  if (realmId !== undefined && realmId !== books.realmId) refuseMismatch('realm');
  const expiresAt = Date.parse(EXPIRATION.exec(message)?.[1] ?? '');
  if (expiresAt <= books.now) refuseExpired(expiresAt);
  throw new Refused('challenge-not-found');
}

const [DOMAIN_LINE, ADDRESS_LINE, STATEMENT_LINE] = [0, 1, 3];

/** What the first altered line of a text is about. */
function alteredField(issued: string, signed: string): string {
  const [before, after] = [issued.split('\n'), signed.split(/\r?\n/)];
  const line = before.findIndex((text, index) => text !== after[index]);
  if (line === DOMAIN_LINE) {
    return before[0]?.split(' ')[0] === after[0]?.split(' ')[0] ? 'text' : 'domain';
  }
  if (line === ADDRESS_LINE) return 'address';
  if (line !== STATEMENT_LINE) return 'text';
  const [, memberId, realmId] = STATEMENT.exec(signed) ?? [];
  const [, issuedMemberId, issuedRealmId] = STATEMENT.exec(issued) ?? [];
  if (memberId === issuedMemberId && realmId !== issuedRealmId) return 'realm';
  return memberId !== undefined && realmId === issuedRealmId ? 'member' : 'text';
}

function refuseMismatch(field: string): never {
  throw new Refused('challenge-mismatch', { field });
}

function refuseExpired(expiresAt: number): never {
  throw new Refused('challenge-expired', { expiredAt: iso(expiresAt) });
}
