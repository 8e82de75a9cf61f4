import { define } from '../attack.ts';
import { BATCH, entriesOf, MAX_ENTRIES } from './batch.ts';

export const wrongEntries = define({
  name: 'wrong-entries',
  description: '20 clients with batches of 1,000 entries, each with four faults',
  full: { clients: 20, entries: MAX_ENTRIES },
  short: { clients: 10, entries: 500 },
  run: (attacker, { clients, entries }) => {
    const wrong = { memberId: 'x', tokens: 0, realmPointId: '!', description: 1 };
    const body = [Buffer.from(`{"entries":[${entriesOf(entries, 1, () => wrong)}]}`)];
    const batch = attacker.request('PATCH', attacker.path(BATCH), { body });
    return attacker.clients(clients, () => batch);
  },
});
