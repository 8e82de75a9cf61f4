import { generateKey } from '../../src/domain/key-format.ts';
import { define } from '../attack.ts';

export const wrongKeys = define({
  name: 'wrong-keys',
  description: '64 clients send a different well-formed key with each request, all unknown',
  full: { clients: 64 },
  short: { clients: 16 },
  prepare: (seeder) => seeder.members(1),
  run: (attacker, { clients }) => {
    const path = attacker.path('/members/1');
    return attacker.clients(clients, () =>
      attacker.request('GET', path, { key: generateKey().key }),
    );
  },
});
