import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';
import { community, until } from './community.ts';

const service = await serviceForFile();
const server = await community(service);
const { realm, discord } = server;

test('/daily takes the daily reward, with its streak, once a day', async () => {
  const alice = await server.member('Alice');
  assert.match((await alice.uses('daily')).text, /no daily reward here yet/);
  await server.offer('quest', { name: 'Quest', gives: { points: 5 } });
  await server.offer('daily', {
    name: 'Daily reward',
    emoji: '☀️',
    gives: { points: 10 },
    perMember: { times: 1, period: 'day' },
    streak: { bonus: [0, 5] },
  });
  const shown = await alice.uses('daily');
  assert.ok(!shown.isPrivate);
  assert.match(shown.text, /<@\d+> claimed ☀️ \*\*Daily reward\*\*\.\n\*\*\+10 points\*\*/);
  const again = await alice.uses('daily');
  assert.ok(again.isPrivate);
  assert.match(again.text, /You can get it again <t:\d+:R>\./);
  await server.offer('pin', { gives: { points: 1 }, perMember: { times: 1, period: 'ever' } });
  const bob = await server.member('Bob');
  await bob.uses('claim', { offer: 'pin' });
  assert.equal((await bob.uses('claim', { offer: 'pin' })).text, 'You can get this only once.');
  await realm.expect(200, 'PATCH', '/offers/pin', { body: { archived: true } });
  assert.equal(await server.balance(alice), 10);
});

test('/claim proposes what costs nothing, /buy what costs something', async () => {
  await server.offer('sticker', { name: 'Sticker', emoji: '⭐', costs: { points: 50 } });
  await server.offer('secret', { name: 'Secret', gives: { points: 1 }, isListed: false });
  const alice = await server.member('Alice', 60);
  assert.deepEqual(await alice.types('buy', 'offer', 'sti'), [
    { name: '⭐ Sticker · 50 points', value: 'sticker' },
  ]);
  assert.deepEqual(
    (await alice.types('claim', 'offer', '')).map(({ value }) => value),
    ['daily', 'quest'],
  );
  assert.match((await alice.uses('claim', { offer: 'quest' })).text, /\+5 points/);
  const secret = await alice.uses('claim', { offer: 'secret' });
  assert.ok(secret.isPrivate);
  assert.match(secret.text, /\+1 point\*/);
  const bought = await alice.uses('buy', { offer: 'sticker' });
  assert.ok(!bought.isPrivate);
  assert.match(bought.text, /<@\d+> bought ⭐ \*\*Sticker\*\* for 50 points\./);
  const poor = await alice.uses('buy', { offer: 'sticker' });
  assert.match(poor.text, /You have 16 points, and this takes 50/);
  for (const offer of ['nonsense', '../members', '']) {
    assert.ok((await alice.uses('buy', { offer })).isPrivate);
  }
});

test('/buy of much asks first, at the price that was shown', async () => {
  await server.offer('print', { name: 'Print', costs: { points: 150 }, stock: 1 });
  const alice = await server.member('Alice', 400);
  const asked = await alice.uses('buy', { offer: 'print', quantity: 2 });
  assert.match(asked.text, /Buy \*\*Print\*\* ×2 for \*\*300 points\*\*\? .* 100 points left/);
  assert.match((await alice.presses(asked, 'Buy')).text, /\S/);
  assert.equal(await server.balance(alice), 400);
  await realm.expect(200, 'PATCH', '/offers/print', { body: { stock: 2, costs: { points: 160 } } });
  const changed = await alice.presses(asked, 'Buy');
  assert.match(changed.text, /price has changed: it costs 160 points now/);
  const other = await alice.uses('buy', { offer: 'print', quantity: 2 });
  const [done, again] = await Promise.all([
    alice.presses(other, 'Buy'),
    alice.presses(other, 'Buy'),
  ]);
  assert.match(done.text, /You bought \*\*Print\*\* ×2 for \*\*320 points\*\*/);
  await until(() => done.followUps.length + again.followUps.length > 0);
  assert.equal(done.followUps.length + again.followUps.length, 1);
  assert.equal(await server.balance(alice), 80);
});

test('/shop shows offers, and /inventory what was bought', async () => {
  const alice = await server.member('Alice', 70);
  const shown = await alice.uses('shop');
  assert.ok(shown.isPrivate);
  assert.match(shown.text, /^Shop\n/);
  assert.match(shown.text, /⭐ \*\*Sticker\*\* · 50 points/);
  assert.match(shown.text, /You have 70 points\./);
  assert.doesNotMatch(shown.text, /Quest|Secret/);
  await alice.uses('buy', { offer: 'sticker' });
  const inventory = await alice.uses('inventory');
  assert.ok(inventory.isPrivate);
  assert.match(inventory.text, /⭐ \*\*Sticker\*\* · yours · <t:\d+:R>/);
  assert.match((await server.user('New').uses('inventory')).text, /not bought anything/);
  const empty = await community(service);
  assert.match((await empty.user('Alice').uses('shop')).text, /nothing to buy/);
});

test('/shop sells what is picked from its list, once it is confirmed', async () => {
  const own = await community(service);
  const terms = { name: 'Mug', emoji: '☕', costs: { points: 50 }, delivery: 'manual' };
  await own.offer('mug', terms);
  await own.offer('car', { costs: { points: 5_000 } });
  const alice = await own.member('Alice', 70);
  const shown = await alice.uses('shop');
  assert.deepEqual(shown.list.options, [
    { label: '☕ Mug · 50 points', value: 'mug' },
    { label: 'car · 5,000 points', value: 'car' },
  ]);
  const poor = await alice.picks(shown, 'car');
  assert.equal(poor.original.flags, 64);
  assert.match(poor.text, /You have 70 points, and this takes 5,000/);
  const asked = await alice.picks(shown, 'mug');
  assert.equal(asked.first.type, 7);
  assert.match(
    asked.text,
    /Buy ☕ \*\*Mug\*\* for \*\*50 points\*\*\? You will have 20 points left/,
  );
  assert.equal((await alice.presses(asked, 'Back to the shop')).text, shown.text);
  assert.equal(await own.balance(alice), 70);
  const done = await alice.presses(asked, 'Buy');
  assert.match(done.text, /You bought ☕ \*\*Mug\*\* for \*\*50 points\*\*/);
  await until(() => done.followUps.length > 0);
  assert.match(done.followUps[0].embeds[0].description, /bought .*\nA manager will deliver it\./);
  assert.match((await alice.presses(done, 'Back to the shop')).text, /You have 20 points\./);
  await alice.presses(asked, 'Buy');
  assert.equal(await own.balance(alice), 20);
});

test('an offer with a role gives it on claim, and takes it back on reject', async () => {
  const roleId = '900000000000000077';
  await server.offer('vip', {
    name: 'VIP',
    costs: { points: 5 },
    delivery: 'manual',
    metadata: { discordRoleId: roleId },
  });
  const alice = await server.member('Alice', 10);
  const name = `${server.guildId}/${alice.id}/${roleId}`;
  assert.match((await alice.uses('buy', { offer: 'vip' })).text, /role follows in a moment/);
  await until(() => discord.roles.has(name));
  const { items } = (await realm.expect(200, 'GET', '/claims?offerId=vip')).json;
  await realm.expect(200, 'POST', `/claims/${items[0].claimId}/reject`);
  await until(() => !discord.roles.has(name));
});

test('who has claimed a role twice keeps it if one of the claims is rejected', async () => {
  const roleId = '900000000000000079';
  const terms = { costs: { points: 1 }, delivery: 'manual', metadata: { discordRoleId: roleId } };
  await server.offer('twice', terms);
  const alice = await server.member('Alice', 10);
  const name = `${server.guildId}/${alice.id}/${roleId}`;
  await alice.uses('buy', { offer: 'twice' });
  await alice.uses('buy', { offer: 'twice' });
  const { items } = (await realm.expect(200, 'GET', '/claims?offerId=twice')).json;
  const reject = ({ claimId }: { claimId: number }) =>
    realm.expect(200, 'POST', `/claims/${claimId}/reject`);
  await reject(items[0]);
  await server.offer('later', { costs: { points: 1 }, metadata: { discordRoleId: `${roleId}1` } });
  await alice.uses('buy', { offer: 'later' });
  await until(() => discord.roles.has(`${name}1`));
  assert.ok(discord.roles.has(name));
  await reject(items[1]);
  await until(() => !discord.roles.has(name));
});

test('a role that the app may not give is told to the managers', async () => {
  const roleId = '900000000000000078';
  discord.protectedRoles.add(roleId);
  await server.offer('mod', { costs: { points: 1 }, metadata: { discordRoleId: roleId } });
  const alice = await server.member('Alice', 10);
  await alice.uses('buy', { offer: 'mod' });
  await until(() => /may not give the role 9000/.test(server.status?.guilds[0]?.problem ?? ''));
  discord.protectedRoles.clear();
  await alice.uses('buy', { offer: 'mod' });
  await until(() => server.status?.guilds[0]?.problem === undefined);
});
