import { define } from '../attack.ts';

export const shortLists = define({
  name: 'short-lists',
  description: '64 clients list one of 50,000 members',
  full: { members: 50_000, clients: 64 },
  short: { members: 2_000, clients: 8 },
  prepare: (seeder, { members }) => seeder.members(members),
  run: (attacker, { clients }) => {
    const list = attacker.request('GET', attacker.path('/members?limit=1'));
    return attacker.clients(clients, () => list);
  },
});
