import type { DatabaseAddress } from '../../config/config.ts';
import type { Command } from '../../domain/commands.ts';
import { generateKey } from '../../domain/key-format.ts';
import type { Scope } from '../../domain/model.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openLedger } from '../../storage/storage.ts';
import { counted, Progress } from '../terminal.ts';
import { asCli, execute } from '../with-ledger.ts';
import { inventHistory, type Moment } from './history.ts';
import { inventPeople, type Person, Random } from './people.ts';

export const DEMO_REALM = 'demo';
const SEED = 2026;

export interface DemoRealm {
  /** A key that may do everything in the realm. */
  key: string;
  members: number;
  movements: number;
  /** Two members with wallets, among the first to join, who are the most active. */
  giver: Person;
  taker: Person;
}

/** Writes a month of history through the real ledger; null if interrupted. */
export async function createDemoRealm(
  database: DatabaseAddress,
  members: number,
  signal: AbortSignal,
): Promise<DemoRealm | null> {
  const random = new Random(SEED);
  const people = inventPeople(members, random);
  const moments = inventHistory(people, Date.now(), random);
  const [giver, taker] = people.filter(({ wallets }) => wallets[0]?.chain === 'eip155');
  if (!giver || !taker) throw new Error('the demo has fewer than two members with wallets');
  // Each moment is written as if it were now.
  let now = moments[0]?.at ?? Date.now();
  const ledger = await openLedger(database, () => now);
  using progress = new Progress();
  try {
    await execute(ledger, {
      ...asCli(DEMO_REALM),
      type: 'realm.create',
      name: 'Demo',
      settings: {},
    });
    const { key } = await issueKey(ledger, 'demo', ['admin']);
    const bot = await issueKey(ledger, 'quest bot', ['write']);
    const shop = await issueKey(ledger, 'shop', ['write']);
    const movements = moments.reduce((sum, moment) => sum + moment.movements.length, 0);
    let written = 0;
    for (const moment of moments) {
      now = moment.at;
      for (const commands of commandsOf(moment, bot.actor, shop.actor)) {
        if (signal.aborted) return null;
        await Promise.all(commands.map((command) => execute(ledger, command)));
        written += commands.length;
        const percent = Math.floor((100 * written) / (members + movements));
        progress.show(`Writing a month of history for ${counted(members, 'member')}: ${percent}%`);
      }
    }
    return { key, members, movements, giver, taker };
  } finally {
    await ledger.close();
  }
}

async function issueKey(ledger: Ledger, name: string, scopes: Scope[]) {
  const { key, newKey } = generateKey();
  const fields = { newKey, name, scopes, expiresAt: null };
  await execute(ledger, { ...asCli(DEMO_REALM), type: 'key.create', ...fields });
  return { key, actor: `key:${newKey.id}` };
}

/** So that a million enrolments do not wait at once. */
const AT_ONCE = 5_000;

/** In groups that are sent together, so that a moment takes few commits. */
function* commandsOf(
  { joins, movements }: Moment,
  bot: string,
  shop: string,
): Generator<Command[]> {
  const envelope = asCli(DEMO_REALM);
  const commands: Command[] = [
    ...joins.map((person) => ({
      ...envelope,
      actor: bot,
      type: 'member.create' as const,
      ...person,
    })),
    ...movements.map((movement) => ({
      ...envelope,
      actor: movement.tokens < 0 ? shop : bot,
      ...movement,
    })),
  ];
  for (let at = 0; at < commands.length; at += AT_ONCE) yield commands.slice(at, at + AT_ONCE);
}
