import type { ServiceNode } from './service-node.ts';
import type { World } from './world.ts';

/**
 * The members' balances by what was acknowledged, compared with what every node says of them: in
 * its list of members, on its board, and at the end of each statement.
 */
export async function checkSums(world: World): Promise<void> {
  const { writeLog, verdict, nodes } = world;
  const expected = writeLog.balances();
  const sum = [...expected.values()].reduce((total, one) => total + one, 0);
  for (const node of nodes) {
    for (const [where, told] of Object.entries(await balancesOn(world, node))) {
      for (const [memberId, balance] of expected) {
        const detail = `node ${node.index}: ${memberId} has ${told.get(memberId)}, not ${balance}`;
        verdict.expect(told.get(memberId) === balance, `${where} tell another balance`, detail);
      }
    }
  }
  const text = `${sum.toLocaleString('en')} over ${expected.size} members`;
  verdict.figure('sum of points', `${text}, as acknowledged and as told by every node`);
}

type Balances = Map<string, number>;

async function balancesOn(world: World, node: ServiceNode): Promise<Record<string, Balances>> {
  const get = async (path: string) =>
    (await world.must({ kind: 'view', method: 'GET', path }, node)).json;
  const members: { id: string; tokenBalance: number }[] = (await get('/members?limit=500')).items;
  const board: { id: string; balance: number }[] = (await get('/leaderboard?limit=500')).members;
  const newest = await Promise.all(
    world.writes.members.map(async (id): Promise<[string, number]> => {
      const { items } = await get(`/members/${id}/transactions?limit=1`);
      return [id, items[0]?.balance];
    }),
  );
  return {
    members: new Map(members.map(({ id, tokenBalance }) => [id, tokenBalance])),
    boards: new Map(board.map(({ id, balance }) => [id, balance])),
    statements: new Map(newest),
  };
}
