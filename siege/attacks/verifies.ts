import { define } from '../attack.ts';

const MEMBERS = 1_000;
const [NAME, OTHER] = ['verifies', 'verifies-2'];

export const verifies = define({
  name: NAME,
  description: 'two clients verify two realms of 300,000 records, again and again',
  full: { records: 300_000 },
  short: { records: 10_000 },
  prepare: async (seeder, { records }) => {
    for (const realm of [seeder, await seeder.another(OTHER)]) {
      await realm.members(MEMBERS);
      await realm.credits(MEMBERS, records);
    }
  },
  run: (attacker) => {
    const key = attacker.rootKey;
    const realms = [NAME, OTHER].map((realmId) =>
      attacker.request('GET', attacker.path('/verify', realmId), { key }),
    );
    return attacker.clients(2, (client) => realms[client % 2] ?? { parts: [] });
  },
});
