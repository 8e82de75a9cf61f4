import { createHash } from 'node:crypto';
import type { Outcome } from '../src/domain/commands.ts';
import type { Keeper } from '../src/domain/keeper.ts';
import { generateKey } from '../src/domain/key-text.ts';
import { parseAddress } from '../src/web3/address.ts';

/** The community that every benchmark works on. */
export const REALM = 'bench';
const MEMBERS = 1_000;
const BALANCE = 1_000_000_000;

/** Ids of 18 digits, as a Discord community has: beyond 2^53, and all of one length. */
const FIRST_ID = 180_351_110_224_678_912n;
const ID_STEP = 98_765_432_109n;

export const memberIds: readonly string[] = Array.from({ length: MEMBERS }, (_, index) =>
  String(FIRST_ID + BigInt(index) * ID_STEP),
);

/** Two different members. */
export function randomPair(): { member: string; other: string } {
  const first = Math.floor(Math.random() * MEMBERS);
  const step = 1 + Math.floor(Math.random() * (MEMBERS - 1));
  return { member: idAt(first), other: idAt((first + step) % MEMBERS) };
}

/** Enrols the community and answers a key that may write in its realm. */
export async function enrol(keeper: Keeper): Promise<string> {
  const common = { realmId: REALM, actor: 'cli', idempotency: null };
  const { key, kept } = generateKey();
  const done: Outcome[] = await Promise.all([
    keeper.execute({ ...common, type: 'realm.create', name: 'Benchmark', settings: {} }),
    keeper.execute({
      ...common,
      type: 'key.create',
      newKey: kept,
      name: 'benchmark',
      scopes: ['write'],
      expiresAt: null,
    }),
    ...memberIds.map((memberId, index) =>
      keeper.execute({ ...common, type: 'member.create', ...profile(memberId, index) }),
    ),
  ]);
  const entries = memberIds.map((memberId) => ({
    memberId,
    tokens: BALANCE,
    realmPointId: null,
    description: null,
  }));
  done.push(await keeper.execute({ ...common, type: 'points.batch', atomic: true, entries }));
  for (const outcome of done) mustBeAccepted(outcome);
  return key;
}

export function mustBeAccepted(outcome: Outcome): void {
  if (!('answer' in outcome)) throw new Error(`a command failed: ${JSON.stringify(outcome)}`);
}

/** What a member usually has: names, one account elsewhere, one wallet. */
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

function idAt(index: number): string {
  return memberIds[index] as string;
}
