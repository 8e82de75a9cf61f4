import { createHash } from 'node:crypto';
import type { Outcome } from '../src/domain/commands.ts';
import { generateKey } from '../src/domain/key-format.ts';
import type { Scope } from '../src/domain/model.ts';
import { DEFAULT_TERMS } from '../src/domain/rules/offers.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { parseAddress } from '../src/web3/address.ts';

/** The community of every benchmark, unless its case names another. */
export const REALM = 'bench';
const MEMBERS = 1_000;
const BALANCE = 1_000_000_000;
/** The maximum of the API. */
export const MAX_ENTRIES = 1_000;
/** The members that batches go round. */
export const BATCH_MEMBERS = 10_000;

/** Ids of 18 digits like those of Discord: beyond 2^53, and all of the same length. */
const FIRST_ID = 180_351_110_224_678_912n;
const ID_STEP = 98_765_432_109n;

export const idAt = (index: number): string => String(FIRST_ID + BigInt(index) * ID_STEP);

/** The first members of a community; their ids are the same in every community. */
export const firstMembers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => idAt(index));

export const memberIds: readonly string[] = firstMembers(MEMBERS);

/** Two different members. */
export function randomPair(members = memberIds): { member: string; other: string } {
  const first = Math.floor(Math.random() * members.length);
  const step = 1 + Math.floor(Math.random() * (members.length - 1));
  const [member, other] = [members[first], members[(first + step) % members.length]];
  return { member: member as string, other: other as string };
}

/** Creates the realm and returns a key. */
export async function createRealm(
  ledger: Ledger,
  realmId: string,
  scopes: Scope[] = ['write'],
): Promise<string> {
  const common = { realmId, actor: 'cli', idempotency: null };
  const { key, newKey } = generateKey();
  const done: Outcome[] = await Promise.all([
    ledger.execute({ ...common, type: 'realm.create', name: 'Benchmark', settings: {} }),
    ledger.execute({
      ...common,
      type: 'key.create',
      newKey,
      name: 'benchmark',
      scopes,
      expiresAt: null,
    }),
  ]);
  for (const outcome of done) assertAccepted(outcome);
  return key;
}

/** Creates a realm with these members, each with a large balance, and returns a key. */
export async function enrol(ledger: Ledger, members = memberIds, realmId = REALM): Promise<string> {
  const key = await createRealm(ledger, realmId);
  const common = { realmId, actor: 'cli', idempotency: null };
  const done: Outcome[] = [];
  for (let from = 0; from < members.length; from += MAX_ENTRIES) {
    const some = members.slice(from, from + MAX_ENTRIES);
    const enrolled = some.map((memberId, index) =>
      ledger.execute({ ...common, type: 'member.create', ...profile(memberId, from + index) }),
    );
    done.push(...(await Promise.all(enrolled)));
    const entries = some.map((memberId) => ({
      memberId,
      tokens: BALANCE,
      realmPointId: null,
      description: null,
    }));
    done.push(await ledger.execute({ ...common, type: 'points.batch', atomic: true, entries }));
  }
  for (const outcome of done) assertAccepted(outcome);
  return key;
}

/** An offer that the members of the usual community claim. */
export const OFFER = 'daily';

export async function createOffer(ledger: Ledger): Promise<void> {
  const perMember = { times: 1_000_000, period: 'day' as const };
  const streak = { bonus: [1, 2, 3], graceDays: 1 };
  const own = { name: 'Daily reward', gives: { points: 1 }, perMember, streak };
  const common = { realmId: REALM, actor: 'cli', idempotency: null };
  const terms = { ...DEFAULT_TERMS, ...own };
  const type = 'offer.create';
  assertAccepted(await ledger.execute({ ...common, type, offerId: OFFER, terms }));
}

export function assertAccepted(outcome: Outcome): void {
  if (!('answer' in outcome)) throw new Error(`a command failed: ${JSON.stringify(outcome)}`);
}

/** A typical member: names, one account, one wallet. */
function profile(memberId: string, index: number) {
  const username = `member${index}`;
  const digits = createHash('sha256').update(memberId).digest('hex').slice(0, 40);
  const wallet = parseAddress(`0x${digits}`);
  if ('fault' in wallet) throw new Error(`the wallet of ${username} ${wallet.fault}`);
  return {
    memberId,
    fields: {
      username,
      displayName: `Member ${index}`,
      accounts: [{ provider: 'discord', id: memberId, username }],
    },
    wallets: [wallet],
  };
}
