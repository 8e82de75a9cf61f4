import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';
import { community } from './community.ts';

const service = await serviceForFile();
const server = await community(service);
const { realm } = server;

test('managers award publicly and take privately; a role is enough', async () => {
  const mona = server.manager();
  const alice = await server.member('Alice');
  const awarded = await mona.uses('award', { member: alice, amount: 50, reason: 'Quest' });
  assert.ok(!awarded.isPrivate);
  assert.deepEqual(awarded.original.allowed_mentions.users, [alice.id]);
  assert.match(awarded.text, /was awarded \*\*50 points\*\*\.\n> Quest/);
  const taken = await mona.uses('take', { member: alice, amount: 20 });
  assert.ok(taken.isPrivate);
  assert.match(taken.text, /Took \*\*20 points\*\* from <@\d+>: 30 left\./);
  server.link.managerRoleId = '900000000000000001';
  const helper = Object.assign(server.user('Helper'), { roles: ['900000000000000001'] });
  await helper.uses('award', { member: alice, amount: 1 });
  assert.equal(await server.balance(alice), 31);
  server.link.managerRoleId = undefined;
});

test('what managers do, nobody else may, whatever Discord shows', async () => {
  const mallory = await server.member('Mallory');
  for (const name of ['award', 'take']) {
    const shown = await mallory.uses(name, { member: mallory, amount: 1_000 });
    assert.ok(shown.isPrivate);
    assert.match(shown.text, /Only managers/);
  }
  assert.match((await mallory.uses('undo', { movement: '1' })).text, /Only managers/);
  assert.match((await mallory.uses('pending')).text, /Only managers/);
  assert.match((await mallory.opens('Points', mallory)).text, /Only managers/);
  assert.deepEqual(await mallory.types('undo', 'movement', ''), []);
  const pending = await server.manager().uses('pending');
  const forged = mallory.press(pending, 'deliver:1');
  assert.match((await mallory.sends(forged)).text, /Only managers/);
  assert.equal(await server.balance(mallory), 0);
});

test('/undo proposes the last movements, and undoes one', async () => {
  const mona = server.manager();
  const alice = await server.member('Alice Undone');
  await mona.uses('award', { member: alice, amount: 77, reason: 'By mistake' });
  const [choice] = await mona.types('undo', 'movement', 'mistake');
  assert.match(
    choice?.name ?? '',
    /^\+77 points · Alice Undone · (now|\d+ sec\. ago) · By mistake$/,
  );
  const shown = await mona.uses('undo', { movement: choice?.value });
  assert.match(shown.text, /^Undone: \*\*\+77 points\*\* · <@\d+>\n> By mistake$/);
  assert.ok(shown.isPrivate);
  assert.equal(await server.balance(alice), 0);
  assert.deepEqual(await mona.types('undo', 'movement', 'mistake'), []);
  const again = await mona.uses('undo', { movement: choice?.value });
  assert.equal(again.text, 'This was undone already.');
  assert.ok(again.isPrivate);
  assert.equal(await server.balance(alice), 0);
  assert.match((await mona.uses('undo', { movement: 'the last' })).text, /no such movement/);
  await mona.uses('award', { member: alice, amount: 1 });
  await alice.uses('give', { member: await server.member('Bob'), amount: 1 });
  const [gift] = await mona.types('undo', 'movement', 'undone → bob');
  assert.match(gift?.name ?? '', /^1 point · Alice Undone → Bob · .* · Gift$/);
  const returned = await mona.uses('undo', { movement: gift?.value });
  assert.match(returned.text, /^Undone: \*\*1 point\*\* · <@\d+> → <@\d+>$/);
  assert.equal(await server.balance(alice), 1);
});

test('/pending delivers and rejects with buttons, once', async () => {
  const mona = server.manager();
  const alice = await server.member('Alice', 100);
  const terms = { name: 'Mug', emoji: '☕', costs: { points: 10 }, delivery: 'manual' };
  await server.offer('mug', terms);
  for (const _ of [1, 2]) await alice.uses('buy', { offer: 'mug' });
  assert.equal(await server.balance(alice), 80);
  const shown = await mona.uses('pending');
  assert.ok(shown.isPrivate);
  assert.match(shown.text, /1\. ☕ \*\*Mug\*\* · <@\d+> · <t:\d+:R>\n2\. /);
  const delivered = await mona.presses(shown, '1 · Deliver');
  assert.doesNotMatch(delivered.text, /2\. /);
  const settled = await server.manager('Max').presses(shown, '1 · Reject');
  assert.ok(settled.isPrivate || settled.followUps[0]?.flags === 64, settled.text);
  const rejected = await mona.presses(delivered, '1 · Reject');
  assert.match(rejected.text, /Nothing waits/);
  assert.equal(await server.balance(alice), 90);
  const { items } = (await realm.expect(200, 'GET', '/claims?offerId=mug')).json;
  assert.deepEqual(items.map(({ status }: { status: string }) => status).sort(), [
    'done',
    'rejected',
  ]);
});

test('/pending shows first what has waited longest, and how much comes after', async () => {
  const own = await community(service);
  for (const id of ['first', 'b', 'c', 'd', 'e', 'last']) {
    await own.offer(id, { costs: { points: 1 }, delivery: 'manual' });
  }
  const alice = await own.member('Alice', 100);
  for (const offer of ['first', 'b', 'c', 'd', 'e', 'last']) await alice.uses('buy', { offer });
  const shown = await own.manager().uses('pending');
  assert.match(shown.text, /1\. \*\*first\*\* [\s\S]*5\. \*\*e\*\*.*\n1 more after these\.$/);
});

test('a member’s menu shows points and the latest movements', async () => {
  const alice = await server.member('Alice', 12);
  const shown = await server.manager().opens('Points', alice);
  assert.ok(shown.isPrivate);
  assert.match(shown.text, /^Alice’s points\n\*\*12 points\*\*\nLatest movements\n\*\*\+12 points/);
  assert.match(
    (await server.manager().opens('Points', server.user('Nobody'))).text,
    /No points yet/,
  );
});

test('commands are put once, again when they differ, and hidden from others', async () => {
  const own = await community(service);
  const puts = () => own.discord.requests(/^PUT .*\/commands$/);
  assert.equal(puts().length, 1);
  const names = (own.discord.guilds.get(own.guildId) ?? []) as {
    name: string;
    default_member_permissions: string | null;
  }[];
  const hidden = names.filter(({ default_member_permissions: needed }) => needed === '32');
  assert.deepEqual(
    hidden.map(({ name }) => name),
    ['award', 'take', 'undo', 'pending', 'Points'],
  );
  await own.bot?.stop();
  own.status = undefined;
  own.start();
  await own.isReady();
  assert.equal(puts().length, 1);
  own.link.managerRoleId = '900000000000000002';
  own.bot?.realmsChanged();
  while (puts().length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(
    puts()[1]?.body.every((one: object) => Object(one).default_member_permissions === null),
  );
});
