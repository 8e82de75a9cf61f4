import { define } from '../attack.ts';
import { BATCH, entriesOf, MAX_ENTRIES } from './batch.ts';

const HOLDS_OF_EACH = 100;
const BALANCE = 1_000_000;

interface Size {
  members: number;
  entries: number;
}

const debitsBehindHolds = (name: string, description: string, full: Size, short: Size) =>
  define({
    name,
    description,
    full,
    short,
    // The last member has neither points nor holds.
    prepare: async (seeder, { members }) => {
      await seeder.members(members + 1);
      await seeder.credits(members, members, BALANCE);
      await seeder.holds(members, members * HOLDS_OF_EACH);
    },
    run: (attacker, { members, entries }) => {
      const debits = entriesOf(entries - 1, members, (memberId) => ({ memberId, tokens: -1 }));
      const refused = JSON.stringify({ memberId: members + 1, tokens: -1 });
      const body = [Buffer.from(`{"entries":[${debits},${refused}]}`)];
      const batch = attacker.request('PATCH', attacker.path(BATCH), { body });
      return attacker.clients(1, () => batch);
    },
  });

export const holds = debitsBehindHolds(
  'holds',
  'a batch of 1,000 debits that is refused at its end; 200 members with 100 open holds each',
  { members: 200, entries: MAX_ENTRIES },
  { members: 10, entries: 500 },
);

export const manyHolds = debitsBehindHolds(
  'many-holds',
  'the same with 600 members, so 60,000 open holds',
  { members: 600, entries: MAX_ENTRIES },
  { members: 20, entries: 1_000 },
);
