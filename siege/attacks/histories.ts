import { define } from '../attack.ts';

const KINDS = 49;

export const histories = define({
  name: 'histories',
  description: '400 clients ask for 92 days of a member’s balances in 50 kinds of points',
  full: { clients: 400 },
  short: { clients: 8 },
  prepare: async (seeder) => {
    await seeder.members(1);
    await seeder.kinds(KINDS);
  },
  run: (attacker, { clients }) => {
    const path = attacker.path('/members/1/balance/history?days=92');
    const history = attacker.request('GET', path);
    return attacker.clients(clients, () => history);
  },
});
