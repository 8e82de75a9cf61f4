import { define } from '../attack.ts';

const ANSWERED = 'write answered ';

export const garbage = define({
  name: 'garbage',
  description: '50 callers send a good write and garbage right behind it',
  full: { callers: 50 },
  short: { callers: 10 },
  prepare: (seeder) => seeder.members(1),
  run: (attacker, { callers }) =>
    attacker.callers(callers, async (connection) => {
      const mark = attacker.mark();
      const body = [JSON.stringify({ tokens: 1, description: mark })];
      const path = attacker.path('/members/1/tokenBalance');
      const { parts } = attacker.request('PATCH', path, { body, write: { mark, records: 1 } });
      connection.send([...parts, '\0garbage\r\n\r\n']);
      const status = await connection.answer();
      attacker.count(`${ANSWERED}${status ?? (attacker.isOver ? 'too late' : 'by a close')}`);
      attacker.recordWrite({ mark, records: 1 }, status);
    }),
  // The write is good, so it is done, or refused because there is too much to do.
  faults: (answers) =>
    ['400', 'by a close'].flatMap((wrong) => {
      const count = answers[`${ANSWERED}${wrong}`];
      return count ? [`${count} good writes were answered ${wrong}`] : [];
    }),
});
