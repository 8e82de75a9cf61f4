import { define } from '../attack.ts';
import { LIST, walletsOf } from './members.ts';

export const walletLists = define({
  name: 'wallet-lists',
  description: '8 clients list 500 members with 50 wallets each',
  full: { members: 500, clients: 8 },
  short: { members: 40, clients: 8 },
  prepare: (seeder, { members }) =>
    seeder.members(members, (id) => ({ wallets: walletsOf(id, 50) })),
  run: (attacker, { clients }) => {
    const list = attacker.request('GET', attacker.path(LIST));
    return attacker.clients(clients, () => list);
  },
});
