import { define } from '../attack.ts';
import { walletsOf } from './members.ts';

const MEMBERS = 50;
const IDS = Array.from({ length: MEMBERS }, (_, index) => index + 1).join(',');
const LISTS = [
  `limit=${MEMBERS}`,
  `ids=${IDS}`,
  `search=large&limit=${MEMBERS}`,
  `sort=name&limit=${MEMBERS}`,
];

export const largeMembers = define({
  name: 'large-members',
  description: '16 clients list, name, search and sort 50 members with 100 wallets each',
  full: { clients: 16, wallets: 100 },
  short: { clients: 8, wallets: 10 },
  prepare: (seeder, { wallets }) =>
    seeder.members(MEMBERS, (id) => ({
      fields: { username: `large${id}` },
      wallets: walletsOf(id, wallets),
    })),
  run: (attacker, { clients }) => {
    const lists = LISTS.map((query) => attacker.request('GET', attacker.path(`/members?${query}`)));
    return attacker.clients(clients, (client) => lists[client % lists.length] ?? { parts: [] });
  },
});
