import { define } from '../attack.ts';

/** A single character that compatibility decomposition turns into four words. */
const LIGATURE = '\u{fdfa}';
const NAMES = `"username":"${LIGATURE.repeat(64)}","displayName":"${LIGATURE.repeat(128)}"`;

export const compatibilityNames = define({
  name: 'compatibility-names',
  description: '3 clients enrol 800 members at once whose names decompose into hundreds of words',
  full: { clients: 3, members: 800 },
  short: { clients: 2, members: 100 },
  run: (attacker, { clients, members }) => {
    let last = 0;
    return attacker.clients(clients, () => {
      const rows = Array.from({ length: members }, () => `{"id":"${++last}",${NAMES}}`);
      const body = [Buffer.from(`{"members":[${rows}]}`)];
      return attacker.request('POST', attacker.path('/members/batch'), { body });
    });
  },
});
