import type { ServiceNode } from './service-node.ts';
import type { World } from './world.ts';

/**
 * Compares the balances that follow from the acknowledged writes with those of every node: in its
 * list of members, on its leaderboard and in its statements.
 */
export async function checkSums(world: World): Promise<void> {
  const { writeLog, findings, nodes } = world;
  const expected = writeLog.balances();
  const sum = [...expected.values()].reduce((total, one) => total + one, 0);
  for (const node of nodes) {
    for (const [where, shown] of Object.entries(await balancesOn(world, node))) {
      for (const [memberId, balance] of expected) {
        const detail = `node ${node.index}: ${memberId} has ${shown.get(memberId)}, not ${balance}`;
        findings.expect(shown.get(memberId) === balance, `${where} show a wrong balance`, detail);
      }
    }
  }
  const text = `${sum.toLocaleString('en')} over ${expected.size} members`;
  findings.figure('sum of points', `${text}, as acknowledged and as shown by every node`);
}

type Balances = Map<string, number>;

async function balancesOn(world: World, node: ServiceNode): Promise<Record<string, Balances>> {
  const get = async (path: string) =>
    (await world.must({ kind: 'read', method: 'GET', path }, node)).json;
  const members: { id: string; tokenBalance: number }[] = (await get('/members?limit=500')).items;
  const leaderboard: { id: string; balance: number }[] = (await get('/leaderboard?limit=500'))
    .members;
  const newest = await Promise.all(
    world.writes.members.map(async (id): Promise<[string, number]> => {
      const { items } = await get(`/members/${id}/transactions?limit=1`);
      return [id, items[0]?.balance];
    }),
  );
  return {
    members: new Map(members.map(({ id, tokenBalance }) => [id, tokenBalance])),
    leaderboards: new Map(leaderboard.map(({ id, balance }) => [id, balance])),
    statements: new Map(newest),
  };
}
