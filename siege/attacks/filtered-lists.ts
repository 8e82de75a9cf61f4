import { define } from '../attack.ts';

export const filteredLists = define({
  name: 'filtered-lists',
  description: '32 clients ask for a frozen member among 120,000 that are not',
  full: { members: 120_000, clients: 32 },
  short: { members: 2_000, clients: 8 },
  prepare: (seeder, { members }) => seeder.members(members),
  run: (attacker, { clients }) => {
    const list = attacker.request('GET', attacker.path('/members?status=frozen&limit=1'));
    return attacker.clients(clients, () => list);
  },
});
