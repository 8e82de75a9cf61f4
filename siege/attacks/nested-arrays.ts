import { define } from '../attack.ts';
import { BATCH, MAX_BODY } from './batch.ts';

/** Together with the arrays and objects around them, the deepest that is read. */
const DEPTH = 60;
const NEST = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

export const nestedArrays = define({
  name: 'nested-arrays',
  description: 'six clients with 512 KiB of nested arrays in a field that is ignored',
  full: { clients: 6, bytes: MAX_BODY },
  short: { clients: 6, bytes: MAX_BODY / 8 },
  prepare: (seeder) => seeder.members(1),
  run: (attacker, { clients, bytes }) => {
    const [start, end] = ['{"entries":[{"memberId":1,"tokens":1}],"ignored":[', ']}'];
    const count = Math.floor((bytes - start.length - end.length) / (NEST.length + 1));
    const body = [Buffer.from(`${start}${Array(count).fill(NEST).join(',')}${end}`)];
    const batch = attacker.request('PATCH', attacker.path(BATCH), { body });
    return attacker.clients(clients, () => batch);
  },
});
