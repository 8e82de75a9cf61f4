import { define } from '../attack.ts';
import { BATCH, entriesOf, MAX_ENTRIES } from './batch.ts';

/** The answer has a problem for each entry: 350 kB. */
export const replays = define({
  name: 'replays',
  description: '48 clients repeat one batch of 1,000 entries for unknown members under one key',
  full: { clients: 48, entries: MAX_ENTRIES },
  short: { clients: 4, entries: 500 },
  run: (attacker, { clients, entries }) => {
    const debits = entriesOf(entries, entries, (memberId) => ({ memberId, tokens: -5 }));
    const batch = attacker.request('PATCH', attacker.path(BATCH), {
      body: [Buffer.from(`{"atomic":false,"entries":[${debits}]}`)],
      write: { mark: attacker.mark(), records: 0 },
    });
    return attacker.clients(clients, () => batch);
  },
  faults: (answers) => (answers[200] ? [] : ['the batch was never answered']),
});
