import { define } from '../attack.ts';

const KINDS = 49;

export const kindLists = define({
  name: 'kind-lists',
  description: '16 clients list 500 members at once in a realm of 50 kinds of points',
  full: { members: 2_000, clients: 16 },
  short: { members: 200, clients: 4 },
  prepare: async (seeder, { members }) => {
    await seeder.members(members);
    await seeder.kinds(KINDS);
  },
  run: (attacker, { clients }) => {
    const list = attacker.request('GET', attacker.path('/members?limit=500'));
    return attacker.clients(clients, () => list);
  },
});
