import { define } from '../attack.ts';
import { batchWriter, entriesOf, MAX_ENTRIES } from './batch.ts';
import { creditOf } from './idempotency-keys.ts';

/** What one process has locked for long, another one meets in the batches that realms share. */
export const twoProcesses = define({
  name: 'two-processes',
  description: '8 clients write batches through another process, 4 credit points through this one',
  needsOtherProcess: true,
  full: { members: 1_000, batching: 8, crediting: 4, entries: MAX_ENTRIES },
  short: { members: 100, batching: 8, crediting: 4, entries: 1_000 },
  prepare: (seeder, { members }) => seeder.members(members),
  run: async (attacker, { members, batching, crediting, entries }) => {
    const credits = entriesOf(entries, members, (memberId) => ({ memberId, tokens: 1 }));
    const batch = batchWriter(attacker, credits, entries);
    await Promise.all([
      attacker.clients(batching, batch, attacker.otherUrl),
      attacker.clients(crediting, (client) => creditOf(attacker, client + 1)),
    ]);
  },
});
