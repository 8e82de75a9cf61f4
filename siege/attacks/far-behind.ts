import { define } from '../attack.ts';

const MEMBERS = 1_000;

export const farBehind = define({
  name: 'far-behind',
  description: '16 clients read boards and statements of a realm that is 300,000 records behind',
  full: { records: 300_000, clients: 16 },
  short: { records: 20_000, clients: 8 },
  prepare: async (seeder, { records }) => {
    await seeder.members(MEMBERS);
    await seeder.credits(MEMBERS, records);
  },
  run: (attacker, { clients }) => {
    const [board, statement] = ['/leaderboard?limit=500', '/members/1/transactions?limit=500'].map(
      (path) => attacker.request('GET', attacker.path(path)),
    );
    return attacker.clients(clients, (client) => (client % 2 ? board : statement) ?? { parts: [] });
  },
});
