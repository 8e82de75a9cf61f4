import { define } from '../attack.ts';
import { walletsOf } from './members.ts';

const KINDS = 9;
const PATH = '/members/batch';

/** 5,000 rows at most: as large as a batch of members may be. */
export const memberBatches = define({
  name: 'member-batches',
  description:
    '4 clients enrol 1,000 members with wallets, or 500 with 9 balances; one erases members',
  full: { seeded: 5_000, clients: 4, withWallet: 1_000, withBalances: 500 },
  short: { seeded: 50, clients: 2, withWallet: 200, withBalances: 20 },
  prepare: async (seeder, { seeded }) => {
    await seeder.members(seeded);
    await seeder.kinds(KINDS);
  },
  run: (attacker, { seeded, clients, withWallet, withBalances }) => {
    const balances = JSON.stringify(
      Object.fromEntries(Array.from({ length: KINDS }, (_, index) => [`kind${index + 1}`, 1])),
    );
    let last = seeded;
    let erased = 0;
    const rowsOf = (count: number, row: (id: number) => string): string =>
      Array.from({ length: count }, () => `{"id":"${++last}",${row(last)}}`).join(',');
    return attacker.clients(clients + 1, (client) => {
      if (client === clients) {
        return attacker.request('DELETE', attacker.path(`/members/${++erased}?erase=true`));
      }
      const rows =
        client % 2 === 0
          ? rowsOf(withWallet, (id) => `"wallets":["${walletsOf(id, 1)[0]?.address}"]`)
          : rowsOf(withBalances, () => `"balances":${balances}`);
      const body = [Buffer.from(`{"members":[${rows}]}`)];
      return attacker.request('POST', attacker.path(PATH), { body });
    });
  },
});
