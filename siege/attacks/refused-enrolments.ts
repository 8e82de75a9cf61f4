import { define } from '../attack.ts';
import { walletsOf } from './members.ts';

export const refusedEnrolments = define({
  name: 'refused-enrolments',
  description: '4 clients enrol without an id and are refused, in a realm of 600,000 members',
  full: { members: 600_000 },
  short: { members: 2_000 },
  prepare: (seeder, { members }) =>
    seeder.members(members, (id) => (id === 1 ? { wallets: walletsOf(1, 1) } : {})),
  run: (attacker) => {
    const wallets = walletsOf(1, 1).map(({ address }) => address);
    const enrolment = attacker.request('POST', attacker.path('/members'), {
      body: [JSON.stringify({ wallets })],
    });
    return attacker.clients(4, () => enrolment);
  },
});
