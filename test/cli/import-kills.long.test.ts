import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Program } from '../support/program.ts';
import { Cli } from './cli.ts';
import { acme, exported, write } from './files.ts';

/**
 * Imports and a service that are killed, each at a commit that is counted. `LONG=1` imports as
 * many members as a large community has.
 */
const MEMBERS = process.env.LONG ? 200_000 : 10_000;
const KILLS = ['before', 'after', 'before', 'after', 'before'] as const;
/** Each import that is killed writes this share of the file, so that the last one has a rest. */
const SHARE = 0.18;
/** The commits of an import; a batch has 1,000 members. */
const COMMITS = Math.round((MEMBERS / 1_000) * SHARE);
const ROOT_KEY = 'rk_root_0123456789-0123456789-0123456789-abcdef';
/** Credits of the first member, through the service. */
const CREDITS = 10;

function startToKill(cli: Cli, args: string[], at: string): Program {
  const preload = pathToFileURL(join(import.meta.dirname, 'kill-at-commit.ts'));
  return cli.start(args, { NODE_OPTIONS: `--import=${preload}`, KILL_AT: at, ROOT_KEY });
}

async function urlOf(service: Program): Promise<string> {
  const [, url = ''] = await service.says(/listens on (\S+)/);
  return url;
}

/** Credits the first member until all credits are done, or the service is dead. */
async function credit(url: string): Promise<number> {
  for (let done = 0; done < CREDITS; done += 1) {
    const answer = await fetch(`${url}/api/v4/realms/acme/members/1/tokenBalance`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${ROOT_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': `credit-${done}`,
      },
      body: '{ "tokens": 100 }',
    }).catch(() => null);
    if (answer === null) return done;
    assert.equal(answer.status, 200, await answer.text());
  }
  return CREDITS;
}

const imported = async (cli: Cli): Promise<number> => {
  const [row] = await cli.database.rows('SELECT count(*) AS members FROM members');
  return Number(row?.members);
};

test('members are imported once, though imports and a service are killed', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  const ids = Array.from({ length: MEMBERS }, (_, index) => String(index + 1));
  const rows = ids.map((id) => `${id},user${id},discord:${id},${id}\n`).join('');
  write(cli, 'members.csv', `id,username,accounts,points\n${rows}`);

  const killed = async (when: string): Promise<number> => {
    const before = await imported(cli);
    const program = startToKill(cli, ['import', 'acme', 'members.csv'], `${when}:${COMMITS}`);
    const { signal, stderr } = await program.ended;
    assert.equal(signal, 'SIGKILL', `it was not killed: ${stderr}`);
    const after = await imported(cli);
    assert.equal(after % 1_000, 0, 'a batch is imported as a whole');
    assert.ok(after > before && after < MEMBERS, `${after} of ${MEMBERS} after ${before}`);
    return after;
  };

  const [first, ...others] = KILLS;
  await killed(first);
  const service = startToKill(cli, ['serve'], 'after:5');
  const url = await urlOf(service);
  const [, credits] = await Promise.all([killed(others[0] ?? ''), credit(url)]);
  assert.ok(credits < CREDITS, 'the service was killed');
  assert.equal((await service.ended).signal, 'SIGKILL');
  let present = 0;
  for (const when of others.slice(1)) present = await killed(when);
  t.diagnostic(`${KILLS.length} imports and a service were killed; ${present} members were there`);

  const rest = await cli.ask(['import', 'acme', 'members.csv']);
  assert.equal(rest.refused, 0);
  assert.equal(Number(rest.enrolled) + Number(rest.present), MEMBERS);
  // A server may complete the commit of a client that is dead.
  assert.ok(Number(rest.present) >= present);
  const again = cli.start(['serve'], { ROOT_KEY });
  assert.equal(await credit(await urlOf(again)), CREDITS);
  again.child.kill('SIGTERM');
  await again.ended;
  await assertOnce(cli, ids);
});

/** Each member, each opening balance and each credit is there once. */
async function assertOnce(cli: Cli, ids: string[]): Promise<void> {
  const opened = (await exported(cli, 'statements'))
    .split('\n')
    .filter((line) => line.includes(',points.opened,'));
  assert.equal(opened.length, ids.length);
  const balances = (await exported(cli, 'balances')).trim().split('\n').slice(1);
  assert.deepEqual(
    balances.map((line) => line.split(',').slice(0, 3).join(',')),
    ids.map((id) => `${id},points,${Number(id) + (id === '1' ? 100 * CREDITS : 0)}`),
  );
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok/);
}
