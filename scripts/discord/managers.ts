import type { User } from '../../test/discord/community.ts';
import type { Stage } from './stage.ts';

/** What managers can use. */
export async function drawManagers(stage: Stage, alice: User, bob: User): Promise<void> {
  const { server, shoot } = stage;
  const mona = server.manager();
  const quest = { member: bob, amount: 1_500, reason: 'Winner of the *spring* quest' };
  shoot('award', 'Mona used award', await mona.uses('award', quest));
  const one = { member: bob, amount: 1, kind: 'karma' };
  shoot('award-one', 'Mona used award', await mona.uses('award', one));
  const rule = { member: bob, amount: 40, reason: 'Spam' };
  shoot('take', 'Mona used take', await mona.uses('take', rule));
  await drawUndo(stage, mona, alice, bob);
  shoot('menu', 'Mona used Points', await mona.opens('Points', bob));
  shoot('menu-stranger', 'Mona used Points', await mona.opens('Points', server.user('Stranger')));
  await drawPending(stage, mona);
}

async function drawUndo(
  { shots, shoot }: Stage,
  mona: User,
  alice: User,
  bob: User,
): Promise<void> {
  await alice.uses('give', { member: bob, amount: 7, reason: 'A long thank you. '.repeat(8) });
  const proposed = await mona.types('undo', 'movement', '');
  shots.set('types-undo', { typed: '/undo movement:', proposed });
  const found = await mona.types('undo', 'movement', 'spam');
  shots.set('types-undo-found', { typed: '/undo movement: spam', proposed: found });
  const undone = await mona.uses('undo', { movement: found[0]?.value });
  shoot('undo', 'Mona used undo', undone);
  const again = await mona.uses('undo', { movement: found[0]?.value });
  shoot('refusal-undone', 'Mona used undo', again);
  const [gift] = await mona.types('undo', 'movement', 'Alice →');
  shoot('undo-gift', 'Mona used undo', await mona.uses('undo', { movement: gift?.value }));
}

async function drawPending({ server, shoot }: Stage, mona: User): Promise<void> {
  const shown = shoot('pending', 'Mona used pending', await mona.uses('pending'));
  const delivered = await mona.presses(shown, '1 · Deliver');
  shoot('pending-delivered', 'Mona used pending', delivered);
  const rejected = await mona.presses(delivered, '1 · Reject');
  shoot('pending-rejected', 'Mona used pending', rejected);
  const old = await mona.presses(shown, '1 · Deliver');
  shoot('refusal-settled', 'Mona used pending', old);
  const { realm } = server;
  const { items } = (await realm.expect(200, 'GET', '/claims?status=pending&limit=500')).json;
  for (const { claimId } of items) {
    await realm.expect(200, 'POST', `/claims/${claimId}/deliver`);
  }
  shoot('pending-empty', 'Mona used pending', await mona.uses('pending'));
}
