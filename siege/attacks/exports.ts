import { define } from '../attack.ts';

const MEMBERS = 200;

export const exports = define({
  name: 'exports',
  description: '60 clients export the last 1,000 movements with long descriptions',
  full: { movements: 20_000, clients: 60 },
  short: { movements: 2_000, clients: 8 },
  prepare: async (seeder, { movements }) => {
    await seeder.members(MEMBERS);
    await seeder.credits(MEMBERS, movements, 1, 'x'.repeat(500));
  },
  run: (attacker, { clients }) => {
    const list = attacker.request('GET', attacker.path('/export_logs?limit=1000'));
    return attacker.clients(clients, () => list);
  },
});
