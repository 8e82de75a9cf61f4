import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';
import { community, until } from './community.ts';

const service = await serviceForFile();
const server = await community(service);
const { realm } = server;

test('/balance enrols on first use, with names, and is private', async () => {
  const alice = server.user('Alice');
  const shown = await alice.uses('balance');
  assert.ok(shown.isPrivate);
  assert.equal(shown.text, 'Your points\n**0 points**');
  const { json } = await realm.expect(200, 'GET', `/members/${alice.id}`);
  assert.deepEqual([json.username, json.displayName], ['alice', 'Alice']);
  assert.deepEqual(json.accounts, [{ provider: 'discord', id: alice.id, username: 'alice' }]);
});

test('/balance shows somebody else, in one kind of points, and enrols nobody by that', async () => {
  await realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: 'Gems', symbol: '💎' } });
  const bob = await server.member('Bob', 1_234);
  const shown = await server.user('Alice').uses('balance', { member: bob });
  assert.equal(shown.text, 'Bob’s points\n**1,234 points**');
  const gems = await bob.uses('balance', { kind: 'gems' });
  assert.equal(gems.text, 'Your points\n**0 💎**');
  const stranger = server.user('Carl');
  assert.match((await bob.uses('balance', { member: stranger })).text, /No points yet/);
  await realm.expect(404, 'GET', `/members/${stranger.id}`);
  assert.deepEqual(await bob.types('balance', 'kind', 'ge'), [{ name: 'Gems', value: 'gems' }]);
  assert.match((await bob.uses('balance', { kind: 'nonsense' })).text, /no such points/);
});

test('a member whose id is not the Discord id is found by the account', async () => {
  const dora = server.user('Dora');
  const accounts = [{ provider: 'discord', id: dora.id }];
  const { json } = await realm.expect(201, 'POST', '/members', { body: { id: '7', accounts } });
  await realm.expect(200, 'PATCH', '/members/7/tokenBalance', { body: { tokens: 5 } });
  assert.equal(json.id, '7');
  assert.match((await dora.uses('balance')).text, /\*\*5 points\*\*/);
});

test('/give moves points, pings the recipient alone, and says for whom', async () => {
  const alice = await server.member('Alice', 90);
  const bob = server.user('Bob');
  const shown = await alice.uses('give', { member: bob, amount: 20, reason: 'Thanks *a lot*' });
  assert.ok(!shown.isPrivate);
  assert.match(shown.original.content, new RegExp(`gave <@${bob.id}> `));
  assert.deepEqual(shown.original.allowed_mentions, { parse: [], users: [bob.id] });
  assert.match(shown.text, /gave <@\d+> \*\*20 points\*\*\.\n> Thanks \\\*a lot\\\*/);
  assert.deepEqual([await server.balance(alice), await server.balance(bob)], [70, 20]);
  const [movement] = await server.movements();
  assert.deepEqual(
    [movement?.type, movement?.onBehalfOf],
    ['points.transferred', `discord:${alice.id}`],
  );
});

test('/give of much asks first; pressed twice it has one effect, and one message', async () => {
  const alice = await server.member('Alice', 300);
  const bob = await server.member('Bob');
  const asked = await alice.uses('give', { member: bob, amount: 200, reason: 'All *mine*' });
  assert.ok(asked.isPrivate);
  assert.match(
    asked.text,
    /Give <@\d+> \*\*200 points\*\*\? You will have 100 left\.\n“All \*mine/,
  );
  assert.equal(await server.balance(alice), 300);
  const [done, again] = await Promise.all([
    alice.presses(asked, 'Give'),
    alice.presses(asked, 'Give'),
  ]);
  assert.match(done.text, /You gave <@\d+> \*\*200 points\*\*: 100 left\./);
  assert.deepEqual(done.buttons, []);
  assert.equal(await server.balance(alice), 100);
  const followUps = () => [...done.followUps, ...again.followUps];
  await until(() => followUps().length > 0);
  assert.equal(followUps().length, 1);
  assert.match(JSON.stringify(followUps()), /> All \\\\\*mine\\\\\*/);
});

test('/give that was cancelled changes nothing', async () => {
  const alice = await server.member('Alice', 300);
  const asked = await alice.uses('give', { member: server.user('Bob'), amount: 300 });
  assert.match((await alice.presses(asked, 'Cancel')).text, /Nothing was changed/);
  assert.equal(await server.balance(alice), 300);
});

test('refusals are sentences to their reader, in numbers as written there; private', async () => {
  const alice = await server.member('Alice_', 3);
  const bob = await server.member('Bob');
  const robot = Object.assign(server.user('Robot'), { isBot: true });
  const poor = await alice.uses('give', { member: bob, amount: 60 });
  assert.ok(poor.isPrivate);
  assert.equal(poor.text, 'You have 3 points, and this takes 60.');
  const taken = await server.manager().uses('take', { member: alice, amount: 6_000 });
  assert.equal(taken.text, `<@${alice.id}> has 3 points, and this takes 6,000.`);
  const dora = server.user('Dora');
  const accounts = [{ provider: 'discord', id: dora.id }];
  await realm.member('42', 3, { displayName: 'Dora', accounts });
  const other = await dora.uses('give', { member: bob, amount: 60 });
  assert.equal(other.text, 'Dora has 3 points and needs 60.', 'the id of a member mentions nobody');
  const body = { tokens: 2 };
  await realm.expect(201, 'POST', `/members/${alice.id}/holds`, { body });
  const held = await alice.uses('give', { member: bob, amount: 60 });
  assert.equal(held.text, 'You have 3 points (2 of them on hold), and this takes 60.');
  await realm.expect(200, 'PATCH', `/members/${bob.id}`, { body: { status: 'frozen' } });
  const frozen = await alice.uses('give', { member: bob, amount: 1 });
  assert.equal(frozen.text, 'Bob is frozen and can neither send nor receive points.');
  assert.match(
    (await bob.uses('give', { member: alice, amount: 1 })).text,
    /Your points are frozen/,
  );
  assert.match((await alice.uses('give', { member: robot, amount: 1 })).text, /is a bot/);
  const own = await alice.uses('give', { member: alice, amount: 1 });
  assert.ok(own.isPrivate && own.text.length > 10, own.text);
  assert.equal(await server.balance(alice), 3);
});

test('/history has the newest first, on pages', async () => {
  const alice = await server.member('Alice');
  for (let day = 1; day <= 10; day += 1) {
    const body = { tokens: day, description: `Day ${day} of #7` };
    await realm.expect(200, 'PATCH', `/members/${alice.id}/tokenBalance`, { body });
  }
  const bob = await server.member('Bob');
  await alice.uses('give', { member: bob, amount: 5 });
  const shown = await alice.uses('history');
  assert.ok(shown.isPrivate);
  const lines = shown.text.split('\n');
  assert.equal(lines.length, 9);
  assert.match(lines[1] ?? '', /^\*\*−5 points\*\* · to <@\d+> · <t:\d+:R>$/);
  assert.match(lines[2] ?? '', /^\*\*\+10 points\*\* · Day 10 of \\#7 · <t:\d+:R>$/);
  const older = await alice.presses(shown, 'Older');
  assert.match(older.text, /\+1 point\*\* · Day 1 of/);
  assert.deepEqual(
    older.buttons.map(({ label }) => label),
    ['Newer'],
  );
  assert.equal((await alice.presses(older, 'Newer')).text, shown.text);
});

test('/leaderboard leaves out who has none', async () => {
  const own = await community(service);
  await own.realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: 'Gems' } });
  const alice = await own.member('Alice', 5);
  await own.member('Bob');
  assert.match((await alice.uses('leaderboard')).text, /```\n1 {2}5 {2}Alice\n```\nPoints$/);
  assert.match((await alice.uses('leaderboard', { kind: 'gems' })).text, /Nobody has points yet/);
});

test('/leaderboard is a table that survives phones and hostile names', async () => {
  const own = await community(service);
  const names = [
    'A```b',
    'العربية‮',
    '李小龍李小龍李小龍李小龍',
    'Very long name that does not end',
  ];
  for (const [index, name] of names.entries()) await own.member(name, 1_000 * (index + 1));
  for (let index = 0; index < 9; index += 1) await own.member(`Member ${index}`, 10 - index);
  const shown = await own.user('Zoe').uses('leaderboard');
  assert.ok(!shown.isPrivate);
  const [title, fence, ...lines] = shown.text.split('\n');
  assert.equal(title, 'Leaderboard · All time');
  assert.equal(fence, '```');
  assert.equal(lines.indexOf('```'), 10);
  assert.match(lines[0] ?? '', /^ 1 {2}4,000 {2}Very long name.*…$/);
  assert.ok(
    lines.slice(0, 10).every((line) => line.length <= 28),
    shown.text,
  );
  assert.doesNotMatch(shown.text, /‮|A```/);
  const next = await own.user('Zoe').presses(shown, 'Next');
  assert.match(next.text, /13 {2}2 {2}Member 8/);
  assert.deepEqual(
    next.buttons.map(({ label }) => label),
    ['Previous'],
  );
  assert.match((await own.user('Zoe').uses('leaderboard', { window: 'day' })).text, /Today/);
});

test('numbers are written as the locale of the interaction writes them', async () => {
  const alice = Object.assign(await server.member('Alice', 1_234_567), { locale: 'de' });
  assert.match((await alice.uses('balance')).text, /1\.234\.567/);
});

test('/wallet is a private link to a page of the service', async () => {
  const shown = await server.user('Alice').uses('wallet');
  assert.ok(shown.isPrivate);
  const [button] = shown.buttons;
  assert.match(button.url, /^https?:\/\//);
  assert.match(shown.text, /expires <t:\d+:R>/);
});
