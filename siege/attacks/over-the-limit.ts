import { define } from '../attack.ts';

export const overTheLimit = define({
  name: 'over-the-limit',
  description: '200 clients read as fast as they can with one key, which may read 100 a second',
  full: { clients: 200, perSecond: 100 },
  short: { clients: 50, perSecond: 5 },
  prepare: async (seeder, { perSecond }) => {
    await seeder.members(1);
    await seeder.limit({ perSecond, burst: 2 * perSecond });
  },
  run: (attacker, { clients }) => {
    const read = attacker.request('GET', attacker.path('/members/1'));
    return attacker.clients(clients, () => read);
  },
  faults: (answers) => (answers[429] ? [] : ['the key was not limited']),
});
