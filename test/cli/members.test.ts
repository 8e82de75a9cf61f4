import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT_KEY } from '../support/service.ts';
import { Cli, get } from './cli.ts';
import { journalOf } from './files.ts';

/** Realms, members and points on the command line. */
const ALICE = '80351110224678912';

async function acme(cli: Cli): Promise<void> {
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme', '--auto-enroll']);
}

test('realm list and realm show print what the API answers', async (t) => {
  const cli = new Cli(t);
  await cli.run(['migrate']);
  assert.match((await cli.run(['realm', 'list'])).stdout, /^There are no realms\. .*realm create/);
  const acme = await cli.ask(['realm', 'create', 'acme', '--name', 'Acme']);
  const evil = await cli.ask(['realm', 'create', 'evil', '--name', 'two\nlines \u001b[31m']);
  assert.deepEqual(await cli.ask(['realm', 'list']), { items: [acme, evil] });
  const { stdout } = await cli.run(['realm', 'list']);
  assert.match(stdout, /^ID {4}NAME +CREATED +ARCHIVED\nacme {2}Acme +20.*Z +no\nevil {2}two.*\n$/);
  assert.ok(!stdout.includes('\u001b'), 'no escape sequence reaches the terminal');
  assert.deepEqual(await cli.ask(['realm', 'show', 'acme']), acme);
  assert.match(
    (await cli.run(['realm', 'show', 'acme'])).stdout,
    /^Realm acme\n {2}name +Acme\n {2}autoEnroll +false\n/,
  );
});

test('realm set changes what it names, and a running service goes by it', async (t) => {
  const cli = new Cli(t, { ROOT_KEY });
  const { url } = await cli.start(['serve', '--json']).firstObject();
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
  const changes = ['autoEnroll=true', 'maxTokensPerRequest=100', 'siteUrl=https://acme.example'];
  const changed = await cli.ask(['realm', 'set', 'acme', '--name', '42', ...changes]);
  const answer = await get(`${url}/api/v4/realms/acme`, ROOT_KEY);
  assert.deepEqual(await answer.json(), changed);
  assert.equal(changed.name, '42');
  const { settings } = changed as { settings: Record<string, unknown> };
  assert.equal(settings.autoEnroll, true);
  assert.equal(settings.maxTokensPerRequest, 100);
  assert.equal(settings.siteUrl, 'https://acme.example');
  assert.equal(settings.transfers, true);
  const { stdout } = await cli.run(['realm', 'set', 'acme', 'maxTokensPerRequest=null']);
  assert.match(stdout, /^ {2}maxTokensPerRequest +null$/m);
  assert.doesNotMatch(stdout, /archived/);
  const headers = { authorization: `Bearer ${ROOT_KEY}` };
  await fetch(`${url}/api/v4/realms/acme/archive`, { method: 'POST', headers });
  assert.match((await cli.run(['realm', 'show', 'acme'])).stdout, /^ {2}archived +20.*Z$/m);
  assert.match((await cli.run(['realm', 'list'])).stdout, /^acme +42 +20.*Z +20.*Z$/m);
});

test('points add adds and subtracts, and says the balance', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  assert.deepEqual(await cli.ask(['points', 'add', 'acme', ALICE, '1250']), {
    newBalance: 1250,
    transactionId: 3,
    memberId: ALICE,
    realmPointId: 'points',
    replayed: false,
  });
  const options = ['--kind', 'points', '--description=-5 for the shop'];
  const { code, stdout } = await cli.run(['points', 'add', 'acme', ALICE, '-5', ...options]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Subtracted 5 from member \d+ of realm acme\. .* now 1,245 \(transaction 4\)/,
  );
  // As in the API, an empty kind is the default one.
  const debt = ['points', 'add', 'acme', ALICE, '-9999', '--kind', '', '--json'];
  const refused = await cli.run(debt);
  assert.equal(refused.code, 1);
  assert.equal(JSON.parse(refused.stdout).error.code, 'insufficient-points');
  assert.match(refused.stderr, /^realmkeep: .*\n$/);
  assert.match(await journalOf(cli), /"description":"-5 for the shop"/);
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok, 4 records/);
});

test('points add with a key adds once, whatever the shell repeats', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  const add = ['points', 'add', 'acme', ALICE, '50', '--key', 'quest-7'];
  const first = await cli.ask(add);
  assert.deepEqual(await cli.ask(add), { ...first, replayed: true });
  const { stdout } = await cli.run(add);
  assert.match(
    stdout,
    /^An earlier run did this: Added 50 to .* was then 50 \(transaction 3\)\.\n$/,
  );
  const other = await cli.run([...add.with(4, '60'), '--json']);
  assert.equal(other.code, 1);
  assert.equal(JSON.parse(other.stdout).error.code, 'idempotency-key-reused');
  const faulty = await cli.run([...add.slice(0, -1), 'two words']);
  assert.equal(faulty.code, 2);
  assert.match(faulty.stderr, /--key must have 1 to 255 visible ASCII characters/);
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok, 3 records/);
});

test('member show and member list print what the API answers', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  for (const [member, tokens] of [
    [ALICE, '1250'],
    ['7', '3'],
    ['8', '4'],
  ]) {
    await cli.run(['points', 'add', 'acme', String(member), String(tokens)]);
  }
  const alice = await cli.ask(['member', 'show', 'acme', ALICE]);
  assert.equal(alice.tokenBalance, 1250);
  const shown = (await cli.run(['member', 'show', 'acme', ALICE])).stdout;
  assert.match(shown, /^Member 80351110224678912 of realm acme\n/);
  assert.match(shown, /^ {2}balances +1,250 points$/m);
  type List = { items: { id: string }[]; hasMore: boolean };
  const list = async (...args: string[]): Promise<[string[], boolean]> => {
    const found = (await cli.ask(['member', 'list', 'acme', ...args])) as unknown as List;
    return [found.items.map(({ id }) => id), found.hasMore];
  };
  assert.deepEqual(await list(), [['7', '8', ALICE], false]);
  assert.deepEqual(await list('--limit', '2'), [['7', '8'], true]);
  assert.deepEqual(await list('--limit', '3'), [['7', '8', ALICE], false]);
  assert.deepEqual(await list('--status', 'frozen'), [[], false]);
  assert.deepEqual(await list('--account', `discord:${ALICE}`), [[], false]);
  assert.deepEqual(await list('--search', 'alice'), [[], false]);
  const text = (await cli.run(['member', 'list', 'acme', '--limit', '2'])).stdout;
  assert.match(text, /^ID {2}USERNAME {2}DISPLAY NAME {2}STATUS {2}BALANCE {2}CREATED\n/);
  assert.match(text, /\n7 +active +3 {2}20.*\n8 .*\nThese are the first 2 members; --limit/);
});

test('an unknown realm or member is refused in one line', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  for (const [args, sentence] of [
    [['realm', 'show', 'none'], /There is no realm "none" in .* "npx realmkeep realm list"/],
    [['realm', 'set', 'none', '--name', 'x'], /There is no realm "none"/],
    [['member', 'list', 'none'], /There is no realm "none"/],
    [['member', 'show', 'none', '1'], /There is no realm "none"/],
    [
      ['member', 'show', 'acme', '1'],
      /no member 1\. "npx realmkeep member list <realm>" lists all\./,
    ],
    [['points', 'add', 'none', '1', '5'], /There is no realm "none"/],
  ] as [string[], RegExp][]) {
    const { code, stdout, stderr } = await cli.run(args);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, args.join(' '));
    assert.match(stderr, sentence);
    assert.match(stderr, /^realmkeep: .*\n$/);
  }
});
