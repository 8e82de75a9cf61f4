import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Member, type RealmHandle, Realmkeep } from '../client/src/index.ts';
import { quantile } from './statistics.ts';
import { table } from './table.ts';

/**
 * How long the lists of the console take in a large realm, by default of a million members:
 * `npm run bench:lists -- --members 100000`. As a manager is one reader, each call is sent when the
 * one before is answered.
 */
const { values } = parseArgs({ options: { members: { type: 'string', default: '1000000' } } });
const CALLS = 300;
const PAGE = 100;

type Call = () => Promise<unknown>;

const demo = spawn(
  process.execPath,
  [
    join(import.meta.dirname, '../bin/realmkeep.mjs'),
    'demo',
    '--members',
    values.members,
    '--json',
  ],
  { env: { ...process.env, PORT: '0', RATE_LIMIT: 'off' }, stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  const [line] = await once(createInterface({ input: demo.stdout }), 'line');
  const { url, key, realm } = JSON.parse(line) as Record<'url' | 'key' | 'realm', string>;
  const rows: string[][] = [];
  for (const [name, calls] of await cases(new Realmkeep({ url, key }).realm(realm))) {
    rows.push([name, ...(await measure(calls))]);
  }
  const head = [`${Number(values.members).toLocaleString('en')} members, ms`, 'p50', 'p95', 'p99'];
  console.log(table([...head, 'max'], rows).join('\n'));
  console.log(
    `Load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
} finally {
  demo.kill();
  await once(demo, 'exit');
}

async function measure(calls: Call[]): Promise<string[]> {
  const times: number[] = [];
  for (const call of calls) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  const shown = [quantile(times, 0.5), quantile(times, 0.95), quantile(times, 0.99)];
  return [...shown, Math.max(...times)].map((time) => time.toFixed(1));
}

async function cases(realm: RealmHandle): Promise<Map<string, Call[]>> {
  const some = await sample(realm);
  const each = (call: (member: Member) => Promise<unknown>): Call[] =>
    some.map((member) => () => call(member));
  const list = (filter: Parameters<typeof realm.members>[0]) =>
    realm.members({ limit: PAGE, ...filter });
  return new Map([
    ['search as one types', some.flatMap(typed).map((search) => () => list({ search }))],
    ['search by two words', each((member) => list({ search: nameIn(member, 2) }))],
    ['find by id', each((member) => realm.member(member.id).get())],
    ['find by account', each(({ id }) => list({ account: `discord:${id}` }))],
    ['find by wallet', each(({ wallets: [wallet = 'none'] }) => list({ wallet }))],
    [
      'names of 100 members',
      each(() =>
        list({
          ids: some
            .slice(0, PAGE)
            .map(({ id }) => id)
            .join(),
        }),
      ),
    ],
    ['page by id', walk(list)],
    ['page by balance', walk((more) => list({ sort: '-balance', ...more }))],
    ['page by age', walk((more) => list({ sort: '-createdAt', ...more }))],
  ]);
}

/** Members from all over the realm. */
async function sample(realm: RealmHandle): Promise<Member[]> {
  const found: Member[] = [];
  for await (const member of realm.members({ sort: '-createdAt', limit: 500 })) {
    found.push(member);
    if (found.length === 20 * CALLS) break;
  }
  return found.filter((_, index) => index % 20 === 0);
}

function nameIn({ displayName }: Member, letters: number): string {
  const words = (displayName ?? '').split(' ');
  return words.map((word) => word.slice(0, letters)).join(' ');
}

/** What the box of the console sends while one name in 15 is typed: "a", "am", "amb", … */
function typed({ displayName }: Member, index: number): string[] {
  const name = index % 15 === 0 ? (displayName ?? '') : '';
  return Array.from(name, (_, end) => name.slice(0, end + 1));
}

/** From page to page, as one scrolls. */
function walk(page: (more: { cursor?: string }) => Promise<{ nextCursor: string | null }>): Call[] {
  let cursor: string | null = null;
  return Array.from({ length: CALLS }, () => async () => {
    const { nextCursor } = await page(cursor === null ? {} : { cursor });
    cursor = nextCursor;
  });
}
