import { define } from '../attack.ts';
import { batchWriter, entriesOf, MAX_BODY, MAX_ENTRIES } from './batch.ts';

/** What an entry takes besides its description, and the batch besides its entries. */
const [ENTRY_BYTES, BATCH_BYTES] = [60, 200];

export const largeBatches = define({
  name: 'large-batches',
  description: '50 clients write batches of 1,000 entries with descriptions, 512 KiB each',
  full: { members: 1_000, clients: 50, entries: MAX_ENTRIES },
  short: { members: 100, clients: 10, entries: 200 },
  prepare: (seeder, { members }) => seeder.members(members),
  run: (attacker, { members, clients, entries }) => {
    const length = Math.floor((MAX_BODY - BATCH_BYTES) / MAX_ENTRIES) - ENTRY_BYTES;
    const description = 'x'.repeat(length);
    const others = entriesOf(entries - 1, members, (memberId) => ({
      memberId,
      tokens: 1,
      description,
    }));
    // The first entry has no description of its own, so it carries the mark.
    return attacker.clients(
      clients,
      batchWriter(attacker, `{"memberId":1,"tokens":1},${others}`, 1),
    );
  },
});
