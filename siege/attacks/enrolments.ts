import { randomBytes } from 'node:crypto';
import { define } from '../attack.ts';

const WALLETS = 50;
const ADDRESS_BYTES = 20;

export const enrolments = define({
  name: 'enrolments',
  description: '1,000 clients enrol members with 50 wallets each',
  full: { clients: 1_000 },
  short: { clients: 100 },
  run: (attacker, { clients }) =>
    attacker.clients(clients, () => {
      const body = [`{"wallets":[${newWallets()}]}`];
      return attacker.request('POST', attacker.path('/members'), { body });
    }),
});

function newWallets(): string {
  const digits = randomBytes(WALLETS * ADDRESS_BYTES).toString('hex');
  const wallets = Array.from({ length: WALLETS }, (_, index) => {
    const start = index * ADDRESS_BYTES * 2;
    return `"0x${digits.slice(start, start + ADDRESS_BYTES * 2)}"`;
  });
  return wallets.join(',');
}
