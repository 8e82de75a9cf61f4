import { define } from '../attack.ts';

export const overTheLimit = define({
  name: 'over-the-limit',
  description: '200 clients read as fast as they can with one key, which may read 100 a second',
  full: { clients: 200 },
  short: { clients: 50 },
  prepare: async (seeder) => {
    await seeder.members(1);
    await seeder.limit({ perSecond: 100, burst: 200 });
  },
  run: (attacker, { clients }) => {
    const read = attacker.request('GET', attacker.path('/members/1'));
    return attacker.clients(clients, () => read);
  },
  faults: (answers) => (answers[429] ? [] : ['the key was not limited']),
});
