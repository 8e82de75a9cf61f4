import { define } from '../attack.ts';
import { LIST, largestMember } from './members.ts';

export const largestLists = define({
  name: 'largest-lists',
  description: '15 clients list 500 of the largest members that can be enrolled',
  full: { members: 500, clients: 15 },
  short: { members: 40, clients: 15 },
  prepare: (seeder, { members }) => seeder.members(members, largestMember),
  run: (attacker, { clients }) => {
    const list = attacker.request('GET', attacker.path(LIST));
    return attacker.clients(clients, () => list);
  },
});
