import { define } from '../attack.ts';

export const formerTies = define({
  name: 'former-ties',
  description: '64 clients ask for the last rank of 160,000 members who were all equal at first',
  full: { members: 160_000, clients: 64 },
  short: { members: 2_000, clients: 8 },
  prepare: async (seeder, { members }) => {
    await seeder.members(members);
    await seeder.credits(members - 1, members - 1, (index) => index + 1);
  },
  run: (attacker, { members, clients }) => {
    const rank = attacker.request('GET', attacker.path(`/leaderboard/${members}`));
    return attacker.clients(clients, () => rank);
  },
});
