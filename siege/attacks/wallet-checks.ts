import { define } from '../attack.ts';

const INCLUDES = '/members/includes';

export const walletChecks = define({
  name: 'wallet-checks',
  description: '20 clients check 10,000 texts each that are no wallets',
  full: { clients: 20, wallets: 10_000 },
  short: { clients: 4, wallets: 1_000 },
  run: (attacker, { clients, wallets }) => {
    const texts = Array.from({ length: wallets }, (_, index) => `0x${'z'.repeat(38)}${index}`);
    const body = [Buffer.from(JSON.stringify({ wallets: texts }))];
    const check = attacker.request('POST', attacker.path(INCLUDES), { body });
    return attacker.clients(clients, () => check);
  },
});
