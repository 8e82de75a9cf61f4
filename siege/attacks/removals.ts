import { define } from '../attack.ts';
import { walletsOf } from './members.ts';

const HOLDS_OF_EACH = 100;
const WALLETS_OF_EACH = 20;
const BALANCE = 1_000;

export const removals = define({
  name: 'removals',
  description: '24 clients remove and erase members with 100 holds and 20 wallets each',
  full: { members: 1_000, clients: 24 },
  short: { members: 50, clients: 4 },
  prepare: async (seeder, { members }) => {
    await seeder.members(members, (id) => ({ wallets: walletsOf(id, WALLETS_OF_EACH) }));
    await seeder.credits(members, members, BALANCE);
    await seeder.holds(members, members * HOLDS_OF_EACH);
  },
  run: (attacker, { clients }) => {
    let last = 0;
    return attacker.clients(clients, () => {
      const path = attacker.path(`/members/${++last}?forfeit=true&erase=true`);
      return attacker.request('DELETE', path);
    });
  },
});
