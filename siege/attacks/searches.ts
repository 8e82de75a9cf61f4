import { define } from '../attack.ts';

export const searches = define({
  name: 'searches',
  description: '16 clients search for a name that nobody has, among 200,000 members',
  full: { members: 200_000, clients: 16 },
  short: { members: 2_000, clients: 16 },
  prepare: (seeder, { members }) =>
    seeder.members(members, (id) => ({
      fields: { username: `member${id}`, displayName: `Member ${id}` },
    })),
  run: (attacker, { clients }) => {
    const search = attacker.request('GET', attacker.path('/members?search=nobody&limit=500'));
    return attacker.clients(clients, () => search);
  },
});
