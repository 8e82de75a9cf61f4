import { define } from '../attack.ts';

const KINDS = 49;

export const newKinds = define({
  name: 'new-kinds',
  description: 'an admin adds 49 kinds of points to 30,000 members, and 16 clients read the board',
  full: { members: 30_000, clients: 16 },
  short: { members: 500, clients: 4 },
  prepare: (seeder, { members }) => seeder.members(members),
  run: async (attacker, { clients }) => {
    const board = attacker.request('GET', attacker.path('/leaderboard?limit=10'));
    const reading = attacker.clients(clients, () => board);
    for (let kind = 1; kind <= KINDS && !attacker.isOver; kind++) {
      await attacker.call('POST', '/points', { id: `kind${kind}`, name: 'Kind' });
    }
    await reading;
  },
});
