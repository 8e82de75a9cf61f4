import { type User, until } from '../../test/discord/community.ts';
import type { Stage } from './stage.ts';

/** What everybody can use: points, lists and offers. */
export async function drawMembers(stage: Stage, alice: User, bob: User): Promise<void> {
  await drawPoints(stage, alice, bob);
  await drawLists(stage, bob);
  await drawOffers(stage, alice);
  await drawBuying(stage, alice);
  await drawOften(stage);
}

async function drawPoints(stage: Stage, alice: User, bob: User): Promise<void> {
  const { server, shoot, shots } = stage;
  const thanks = { member: bob, amount: 20, reason: 'Thanks for the *great* guide!' };
  shoot('give', 'Alice used give', await alice.uses('give', thanks));
  shoot('give-gem', 'Alice used give', await alice.uses('give', { ...thanks, kind: 'gems' }));
  const much = { member: bob, amount: 2_500, reason: 'Rent' };
  const asked = shoot('confirm', 'Alice used give', await alice.uses('give', much));
  const done = shoot('confirmed', 'Alice used give', await alice.presses(asked, 'Give'));
  await until(() => done.followUps.length > 0);
  shots.set('confirmed-public', { cause: '', message: done.followUps[0], isPrivate: false });
  const again = await alice.uses('give', { ...much, amount: 1_000 });
  shoot('cancelled', 'Alice used give', await alice.presses(again, 'Cancel'));
  shoot('balance', 'Alice used balance', await alice.uses('balance'));
  shoot('balance-kind', 'Alice used balance', await alice.uses('balance', { kind: 'karma' }));
  shoot('balance-other', 'Alice used balance', await alice.uses('balance', { member: bob }));
  const stranger = server.user('Stranger');
  const asking = { member: stranger };
  shoot('balance-stranger', 'Alice used balance', await alice.uses('balance', asking));
  shoot('balance-new', 'Nora used balance', await server.user('Nora').uses('balance'));
  const greta = Object.assign(server.user('Greta', alice.id), { locale: 'de' });
  shoot('balance-german', 'Greta used balance', await greta.uses('balance'));
  shoot('wallet', 'Alice used wallet', await alice.uses('wallet'));
  const body = { address: '0x52908400098527886E0F7030069857D2E4169EE7' };
  await server.realm.expect(201, 'POST', `/members/${alice.id}/wallets`, { body });
  shoot('wallet-linked', 'Alice used wallet', await alice.uses('wallet'));
}

async function drawLists(stage: Stage, bob: User): Promise<void> {
  const { server, shoot, demoMember } = stage;
  const { members } = (await server.realm.expect(200, 'GET', '/leaderboard?limit=1')).json;
  const first = demoMember(members[0].id);
  const newest = await first.uses('history');
  shoot('history', `${first.name} used history`, newest);
  shoot('history-older', `${first.name} used history`, await first.presses(newest, 'Older'));
  shoot('history-short', 'Bob used history', await bob.uses('history'));
  shoot('history-empty', 'Nora used history', await server.user('Nora').uses('history'));
  const table = await bob.uses('leaderboard');
  shoot('leaderboard', 'Bob used leaderboard', table);
  shoot('leaderboard-next', 'Bob used leaderboard', await bob.presses(table, 'Next'));
  for (const window of ['week', 'day']) {
    const shown = await bob.uses('leaderboard', { window });
    shoot(`leaderboard-${window}`, 'Bob used leaderboard', shown);
  }
  const gems = await bob.uses('leaderboard', { kind: 'gems' });
  shoot('leaderboard-gems', 'Bob used leaderboard', gems);
  const nobody = await bob.uses('leaderboard', { kind: 'unused' });
  shoot('leaderboard-nobody', 'Bob used leaderboard', nobody);
  shoot('inventory', `${first.name} used inventory`, await first.uses('inventory'));
  shoot('inventory-empty', 'Bob used inventory', await bob.uses('inventory'));
}

async function drawOffers(stage: Stage, alice: User): Promise<void> {
  const { server, shoot, demoMember } = stage;
  shoot('daily', 'Alice used daily', await alice.uses('daily'));
  const of = (id: string) => server.realm.expect(200, 'GET', `/claims?offerId=${id}&limit=100`);
  const { items } = (await of('daily')).json;
  // Who came yesterday has a streak today.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const today = new Date().toISOString().slice(0, 10);
  const came = (day: string) =>
    items.filter((one: { period: string }) => one.period === day).map(memberOf);
  const hasCome = new Set(came(today));
  const faithful = demoMember(came(yesterday).find((id: string) => !hasCome.has(id)));
  shoot('daily-streak', `${faithful.name} used daily`, await faithful.uses('daily'));
  const photo = await alice.uses('claim', { offer: 'photo' });
  shoot('claim-delivered', 'Alice used claim', photo);
  const secret = await alice.uses('claim', { offer: 'secret' });
  shoot('claim-unlisted', 'Alice used claim', secret);
}

const memberOf = ({ memberId }: { memberId: string }): string => memberId;

async function drawBuying({ server, shoot, shots }: Stage, alice: User): Promise<void> {
  const shop = shoot('shop', 'Alice used shop', await alice.uses('shop'));
  const asked = shoot('shop-picked', 'Alice used shop', await alice.picks(shop, 'stickers'));
  const done = shoot('shop-bought', 'Alice used shop', await alice.presses(asked, 'Buy'));
  await until(() => done.followUps.length > 0);
  shots.set('shop-bought-public', { cause: '', message: done.followUps[0], isPrivate: false });
  shoot('shop-back', 'Alice used shop', await alice.presses(done, 'Back to the shop'));
  const tea = { offer: 'tea', quantity: 3 };
  shoot('buy-direct', 'Alice used buy', await alice.uses('buy', tea));
  shoot('buy-role', 'Alice used buy', await alice.uses('buy', { offer: 'colour' }));
  shoot('buy-kinds', 'Alice used buy', await alice.uses('buy', { offer: 'chest' }));
  const much = await alice.uses('buy', { offer: 'statue' });
  shoot('buy-confirm', 'Alice used buy', much);
  shoot('buy-confirmed', 'Alice used buy', await alice.presses(much, 'Buy'));
  shoot('inventory-alice', 'Alice used inventory', await alice.uses('inventory'));
  const archive = await archiver(server);
  await archive(true);
  shoot('shop-empty', 'Alice used shop', await alice.uses('shop'));
  await archive(false);
  for (let index = 1; index <= 24; index += 1) {
    const terms = { name: `Poster number ${index}`, emoji: '🖼️', costs: { points: 10 * index } };
    await server.offer(`poster-${index}`, { ...terms, description: 'Printed on paper' });
  }
  shoot('shop-full', 'Alice used shop', await alice.uses('shop'));
}

/** The most active of the demo, who have all there is. */
async function drawOften({ server, shoot, demoMember }: Stage): Promise<void> {
  const { members } = (await server.realm.expect(200, 'GET', '/leaderboard?limit=1')).json;
  const first = demoMember(members[0].id);
  shoot('balance-many', `${first.name} used balance`, await first.uses('balance'));
}

/** Takes all that costs something out of the shop, or puts it back. */
async function archiver({ realm }: Stage['server']) {
  const { items } = (await realm.expect(200, 'GET', '/offers?status=open')).json;
  const costly = items.filter(({ costs }: { costs: object }) => Object.keys(costs).length > 0);
  return async (archived: boolean) => {
    for (const { id } of costly) {
      await realm.expect(200, 'PATCH', `/offers/${id}`, { body: { archived } });
    }
  };
}
