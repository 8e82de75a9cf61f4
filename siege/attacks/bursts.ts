import { define } from '../attack.ts';
import { batchWriter, entriesOf } from './batch.ts';

export const bursts = define({
  name: 'bursts',
  description: '300 clients begin at once with batches of 900 entries, 24 kB each',
  full: { members: 100, clients: 300, entries: 900 },
  short: { members: 10, clients: 20, entries: 100 },
  prepare: (seeder, { members }) => seeder.members(members),
  run: (attacker, { members, clients, entries }) => {
    const all = entriesOf(entries, members, (memberId) => ({ memberId, tokens: 1 }));
    return attacker.clients(clients, batchWriter(attacker, all, entries));
  },
});
