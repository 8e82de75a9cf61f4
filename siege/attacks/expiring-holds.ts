import { define } from '../attack.ts';

const [MEMBERS, BALANCE] = [500, 1_000_000];

export const expiringHolds = define({
  name: 'expiring-holds',
  description: '64 clients create holds that expire after a second',
  full: { clients: 64 },
  short: { clients: 8 },
  prepare: async (seeder) => {
    await seeder.members(MEMBERS);
    await seeder.credits(MEMBERS, MEMBERS, BALANCE);
  },
  run: (attacker, { clients }) => {
    const body = [Buffer.from(JSON.stringify({ tokens: 1, expiresInSeconds: 1 }))];
    const holds = Array.from({ length: MEMBERS }, (_, index) =>
      attacker.request('POST', attacker.path(`/members/${index + 1}/holds`), { body }),
    );
    let next = 0;
    return attacker.clients(clients, () => holds[next++ % MEMBERS] as (typeof holds)[number]);
  },
});
