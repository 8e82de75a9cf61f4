import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Realmkeep } from '@realmkeep/client';
import { Cli } from '../cli/cli.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-examples-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const demo = new Cli({ after }).start(['demo', '--members', '20', '--json']);
const { url, key, realm: id } = (await demo.firstObject()) as Record<string, string>;
const realm = new Realmkeep({ url: url ?? '', key: key ?? '' }).realm(id ?? '');
const { members } = await realm.leaderboard({ limit: 2 });
const [rich, other] = members.map((member) => member.id);
assert.ok(rich && other);

/** Starts an example as its own comment says, with what the demo prints. */
function start(example: string, ...words: string[]) {
  return spawn(process.execPath, [join(EXAMPLES, example), ...words], {
    cwd: folder,
    env: { ...process.env, REALMKEEP_URL: url, REALMKEEP_REALM: id, REALMKEEP_KEY: key },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function run(example: string, words: string[], input = '') {
  const child = start(example, ...words);
  child.stdin.end(input);
  const [lines, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'close')]);
  return { text: lines.join(''), code };
}

const balanceOf = async (memberId: string): Promise<number> =>
  (await realm.member(memberId).get()).tokenBalance;

test('the bot awards, gives and shows the leaderboard', async () => {
  const before = await balanceOf(rich);
  const awarded = await run('bot.mjs', ['award', rich, '50', 'Quest', 'reward']);
  assert.equal(awarded.text, `${rich} now has ${before + 50} points.\n`);
  const [last] = (await realm.member(rich).transactions({ limit: 1 })).items;
  assert.equal(last?.description, 'Quest reward');
  const messages = [
    `give ${rich} ${other} 20`,
    `give ${rich} ${other} 9999999`,
    'dance',
    'constructor',
    'award',
    `award ${rich} lots`,
  ];
  const { text } = await run('bot.mjs', [], `${messages.join('\n')}\n`);
  assert.deepEqual(text.trimEnd().split('\n'), [
    `${rich} has ${before + 30} points left, ${other} has ${await balanceOf(other)}.`,
    `That takes more than ${before + 30} points.`,
    'Commands: award, give, leaderboard',
    'Commands: award, give, leaderboard',
    'memberID must not be ""',
    'tokens must be a number, not NaN',
  ]);
  const board = await run('bot.mjs', ['leaderboard']);
  const [first] = (await realm.leaderboard()).members;
  assert.ok(board.text.startsWith(`1. ${first?.username}: ${first?.tokens}\n`));
});

test('the shop lists what it sells, and sells it at its price', async () => {
  assert.match((await run('shop.mjs', [])).text, /^colour: Role colour, 200 points\n/);
  const before = await balanceOf(rich);
  const sold = await run('shop.mjs', [rich, 'stickers']);
  assert.equal(sold.text, `Bought. ${before - 120} points are left.\n`);
  const refused = await run('shop.mjs', [rich, 'constructor']);
  assert.equal(refused.text, 'No sale. There is no offer called "constructor".\n');
  await realm.member('7').put({ username: 'poor' });
  const { text } = await run('shop.mjs', ['7', 'stickers']);
  assert.equal(text, 'No sale. poor has 0 points and needs 120.\n');
});

test('the gate opens for wallets of members', async () => {
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
  await realm.member(rich).linkWallet(wallet);
  const passed = await run('gate.mjs', [wallet]);
  assert.deepEqual(passed, { text: `open   ${wallet} (member ${rich})\n`, code: 0 });
  const refused = await run('gate.mjs', ['--verified', wallet, 'nobody']);
  assert.deepEqual(refused, { text: `closed ${wallet}\nclosed nobody\n`, code: 1 });
  for (const words of [[], ['--verifed', wallet]]) {
    assert.deepEqual(await run('gate.mjs', words), { text: '', code: 2 });
  }
});

test('the mirror has all balances, also after it was killed', async () => {
  const file = join(folder, 'balances.json');
  /** Starts the mirror, waits until it has caught up, and ends it. */
  const catchUp = async (signal: NodeJS.Signals): Promise<void> => {
    const { items } = await realm.transactions({ limit: 1 });
    const head = items[0]?.transactionId ?? 0;
    const child = start('mirror.mjs', file);
    const ended = once(child, 'close');
    for await (const chunk of child.stdout) {
      if (Number(/up to event (\d+)\n$/.exec(String(chunk))?.[1]) >= head) break;
    }
    child.kill(signal);
    await ended;
  };
  await catchUp('SIGKILL');
  await realm.member(rich).transfer(other, 5);
  const { transactionId } = await realm.member(other).add(5);
  await realm.transaction(transactionId).reverse();
  await catchUp('SIGTERM');
  const mirrored = JSON.parse(readFileSync(file, 'utf8')).members;
  for await (const { id: memberId, balances } of realm.members()) {
    assert.deepEqual({ points: 0, ...mirrored[memberId] }, balances);
  }
});
