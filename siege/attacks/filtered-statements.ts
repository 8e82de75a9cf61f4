import { define } from '../attack.ts';

export const filteredStatements = define({
  name: 'filtered-statements',
  description: '64 clients ask for the reversals of a member that has 600,000 credits alone',
  full: { credits: 600_000, clients: 64 },
  short: { credits: 2_000, clients: 8 },
  prepare: async (seeder, { credits }) => {
    await seeder.members(1);
    await seeder.credits(1, credits);
  },
  run: (attacker, { clients }) => {
    const path = attacker.path('/members/1/transactions?type=points.reversed');
    const page = attacker.request('GET', path);
    return attacker.clients(clients, () => page);
  },
});
