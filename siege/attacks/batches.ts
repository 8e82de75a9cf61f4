import { define } from '../attack.ts';
import { batchWriter, entriesOf, MAX_ENTRIES } from './batch.ts';

export const batches = define({
  name: 'batches',
  description: '8 clients write batches of 1,000 entries',
  full: { members: 1_000, clients: 8, entries: MAX_ENTRIES },
  short: { members: 100, clients: 8, entries: 200 },
  prepare: (seeder, { members }) => seeder.members(members),
  run: (attacker, { members, clients, entries }) => {
    const credits = entriesOf(entries, members, (memberId) => ({ memberId, tokens: 1 }));
    return attacker.clients(clients, batchWriter(attacker, credits, entries));
  },
});
