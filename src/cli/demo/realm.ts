import { generateKey } from '../../domain/key-format.ts';
import type { Member, Scope } from '../../domain/model.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { asCli, execute } from '../with-ledger.ts';
import { inventHistory, type Moment, type Movement } from './history.ts';
import { inventPeople, type Person } from './people.ts';
import { Random } from './random.ts';

export const DEMO_REALM = 'demo';
const SEED = 2026;

export interface DemoRealm {
  /** A key that may do everything in the realm. */
  key: string;
  members: number;
  movements: number;
  /** Two members with wallets; the giver is the richest. */
  giver: Member;
  taker: Member;
}

interface Filling {
  count: number;
  /** Sets the ledger's clock, so that each moment is written as if it were now. */
  setClock(at: number): void;
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Writes the history through the real ledger, moment by moment; null if interrupted. */
export async function fillDemoRealm(ledger: Ledger, filling: Filling): Promise<DemoRealm | null> {
  const random = new Random(SEED);
  const people = inventPeople(filling.count, random);
  const moments = inventHistory(people, Date.now(), random);
  filling.setClock(moments[0]?.at ?? Date.now());
  await execute(ledger, {
    ...asCli(DEMO_REALM),
    type: 'realm.create',
    name: 'Demo',
    settings: {},
  });
  const { key } = await issueKey(ledger, 'demo', ['admin']);
  const bot = await issueKey(ledger, 'quest bot', ['write']);
  const shop = await issueKey(ledger, 'shop', ['write']);
  let movements = 0;
  for (const [index, moment] of moments.entries()) {
    if (filling.signal.aborted) return null;
    filling.setClock(moment.at);
    await writeMoment(ledger, moment, bot.actor, shop.actor);
    movements += moment.movements.length;
    filling.onProgress((index + 1) / moments.length);
  }
  const [giver, taker] = await richest(ledger, people);
  return { key, members: people.length, movements, giver, taker };
}

async function issueKey(ledger: Ledger, name: string, scopes: Scope[]) {
  const { key, newKey } = generateKey();
  const fields = { newKey, name, scopes, expiresAt: null };
  await execute(ledger, { ...asCli(DEMO_REALM), type: 'key.create', ...fields });
  return { key, actor: `key:${newKey.id}` };
}

/** Sent all at once, so that a moment takes one commit. */
async function writeMoment(
  ledger: Ledger,
  { joins, movements }: Moment,
  bot: string,
  shop: string,
): Promise<void> {
  await Promise.all([
    ...joins.map((person) => enrol(ledger, person, bot)),
    ...movements.map((movement) => move(ledger, movement, movement.tokens < 0 ? shop : bot)),
  ]);
}

function enrol(ledger: Ledger, person: Person, actor: string): Promise<unknown> {
  const { id, username, displayName, accounts, wallets } = person;
  return execute(ledger, {
    ...asCli(DEMO_REALM),
    actor,
    type: 'member.create',
    memberId: id,
    fields: { username, displayName, accounts },
    wallets,
  });
}

function move(ledger: Ledger, movement: Movement, actor: string): Promise<unknown> {
  const { recipientId, ...entry } = movement;
  const envelope = { ...asCli(DEMO_REALM), actor };
  return recipientId === null
    ? execute(ledger, { ...envelope, type: 'points.change', ...entry })
    : execute(ledger, { ...envelope, type: 'points.transfer', ...entry, recipientId });
}

async function richest(ledger: Ledger, people: readonly Person[]): Promise<[Member, Member]> {
  const members = await Promise.all(
    people
      .filter(({ wallets }) => wallets.some(({ chain }) => chain === 'eip155'))
      .map(({ id }) => ledger.query('member', { realmId: DEMO_REALM, memberId: id })),
  );
  const [giver, taker] = members
    .filter((member) => member !== null)
    .sort((a, b) => (b.balances.points ?? 0) - (a.balances.points ?? 0));
  if (!giver || !taker) throw new Error('the demo has fewer than two members with wallets');
  return [giver, taker];
}
