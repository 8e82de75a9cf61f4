import type { User } from '../../test/discord/community.ts';
import type { Stage } from './stage.ts';

/** Every kind of refusal, each to its caller alone. */
export async function drawRefusals(stage: Stage, alice: User, bob: User): Promise<void> {
  const body = { tokens: 1_500, description: 'Found a bug' };
  await stage.server.realm.expect(200, 'PATCH', `/members/${alice.id}/tokenBalance`, { body });
  await drawOwn(stage, alice, bob);
  await drawOfPoints(stage, alice, bob);
  await drawOfOffers(stage, alice);
  await drawAway(stage, alice);
}

/** Those that the app says by itself. */
async function drawOwn({ server, shoot }: Stage, alice: User, bob: User): Promise<void> {
  const shot = async (name: string, used: string, options: Record<string, unknown>, who = alice) =>
    shoot(`refusal-${name}`, `${who.name} used ${used}`, await who.uses(used, options));
  const robot = Object.assign(server.user('Robot'), { isBot: true });
  await shot('managers', 'award', { member: bob, amount: 5 });
  await shot('bot', 'give', { member: robot, amount: 5 });
  await shot('kind', 'balance', { kind: 'gold' });
  await shot('offer', 'buy', { offer: 'A typo!' });
  await shot('unknown-offer', 'buy', { offer: 'typo' });
  await shot('not-free', 'claim', { offer: 'tea' });
  await shot('movement', 'undo', { movement: 'the last' }, server.manager());
  await shot('member', 'give', { amount: 5 });
  await shot('outdated', 'removed', {});
  await server.realm.expect(200, 'PATCH', '/offers/daily', { body: { archived: true } });
  await shot('no-daily', 'daily', {});
  await server.realm.expect(200, 'PATCH', '/offers/daily', { body: { archived: false } });
  const asked = await alice.uses('buy', { offer: 'statue' });
  const dearer = { body: { costs: { points: 1_250 } } };
  await server.realm.expect(200, 'PATCH', '/offers/statue', dearer);
  shoot('refusal-price', 'Alice used buy', await alice.presses(asked, 'Buy'));
  const elsewhere = { ...alice.command('balance'), guild_id: '41771983423143999' };
  shoot('refusal-not-linked', 'Alice used balance', await alice.sends(elsewhere));
  const alone = { ...alice.command('balance'), guild_id: undefined, member: undefined };
  shoot('refusal-no-server', 'Alice used balance', await alice.sends(alone));
}

/** Those of the service that are about points. */
async function drawOfPoints({ server, shoot }: Stage, alice: User, bob: User): Promise<void> {
  const { realm } = server;
  const shot = async (name: string, used: string, options: object, who = alice) =>
    shoot(`refusal-${name}`, `${who.name} used ${used}`, await who.uses(used, { ...options }));
  const five = { member: bob, amount: 5 };
  await shot('poor', 'give', { ...five, amount: 90_000 });
  await shot('poor-kind', 'give', { ...five, amount: 90_000, kind: 'gems' });
  await shot('poor-taken', 'take', { ...five, amount: 90_000 }, server.manager());
  await shot('self', 'give', { member: alice, amount: 5 });
  const body = { tokens: 30, description: 'Auction' };
  await realm.expect(201, 'POST', `/members/${alice.id}/holds`, { body });
  shoot('balance-held', 'Alice used balance', await alice.uses('balance'));
  await shot('poor-held', 'give', { ...five, amount: 90_000 });
  await shot('not-transferable', 'give', { ...five, kind: 'karma' });
  const settings = (changes: object) =>
    realm.expect(200, 'PATCH', '', { body: { settings: changes } });
  await settings({ maxTokensPerRequest: 500 });
  await shot('too-many', 'give', { ...five, amount: 501 });
  await settings({ maxTokensPerRequest: null, transfers: false });
  await shot('transfers', 'give', five);
  await settings({ transfers: true });
  const freeze = (status: string, { id }: User) =>
    realm.expect(200, 'PATCH', `/members/${id}`, { body: { status } });
  await freeze('frozen', alice);
  await shot('frozen', 'give', five);
  await freeze('active', alice);
  await freeze('frozen', bob);
  await shot('frozen-other', 'give', five);
  await freeze('active', bob);
  await shot('limit', 'award', { ...five, amount: 2_000, kind: 'karma' }, server.manager());
  await shot('no-movement', 'undo', { movement: '1' }, server.manager());
}

/** Those of the service that are about offers. */
async function drawOfOffers({ server, shoot }: Stage, alice: User): Promise<void> {
  const shot = async (name: string, used: string, options: Record<string, unknown> = {}) =>
    shoot(`refusal-${name}`, `Alice used ${used}`, await alice.uses(used, options));
  await shot('again', 'daily');
  await alice.uses('claim', { offer: 'photo' });
  await shot('again-week', 'claim', { offer: 'photo' });
  const perMember = { times: 1, period: 'ever' };
  await server.offer('once', { name: 'Welcome pin', costs: { points: 1 }, perMember });
  await alice.uses('buy', { offer: 'once' });
  await shot('once', 'buy', { offer: 'once' });
  await server.offer('ended', {
    ...{ name: 'Spring raffle', emoji: '🎟️', costs: { points: 1 } },
    closesAt: new Date(Date.now() - 1).toISOString(),
  });
  await shot('closed', 'buy', { offer: 'ended' });
  const opensAt = new Date(Date.now() + 86_400_000).toISOString();
  await server.offer('soon', { name: 'Advent box', costs: { points: 1 }, opensAt });
  await shot('upcoming', 'buy', { offer: 'soon' });
  await server.offer('last', { name: 'Last cap', costs: { points: 1 }, stock: 1 });
  await shot('few-left', 'buy', { offer: 'last', quantity: 3 });
  await alice.uses('buy', { offer: 'last' });
  await shot('sold-out', 'buy', { offer: 'last' });
  const requires = { minimumBalance: { gems: 5_000 } };
  await server.offer('elite', { name: 'Elite', costs: { points: 1 }, requires });
  await shot('requires', 'buy', { offer: 'elite' });
  await shot('poor-buy', 'buy', { offer: 'tea', quantity: 100_000 });
}

/** While the service is away, or fails. */
async function drawAway({ intercept, shoot }: Stage, alice: User): Promise<void> {
  intercept.answer = async () => Promise.reject(new TypeError('fetch failed'));
  shoot('refusal-away', 'Alice used balance', await alice.uses('balance'));
  intercept.answer = async () => new Response('oops', { status: 500 });
  shoot('refusal-failed', 'Alice used balance', await alice.uses('balance'));
  intercept.answer = undefined;
}
