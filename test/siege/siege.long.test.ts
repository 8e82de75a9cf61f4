import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbage } from '../../siege/attacks/garbage.ts';
import { nestedArrays } from '../../siege/attacks/nested-arrays.ts';
import { overTheLimit } from '../../siege/attacks/over-the-limit.ts';
import { silentReaders } from '../../siege/attacks/silent-readers.ts';
import { slowSenders } from '../../siege/attacks/slow-senders.ts';
import { wrongEntries } from '../../siege/attacks/wrong-entries.ts';
import { attacksOn } from '../../siege/attacks.ts';
import type { Result } from '../../siege/bars.ts';
import { besiege } from '../../siege/siege.ts';
import { newDatabase, STORAGE } from '../support/database.ts';

/** `npm run siege` measures times and memory at full strength; here only failures count. */
const SECONDS = 0.5;
/** What is refused or waits before a database is asked is tried over one. */
const AT_THE_DOOR = [garbage, nestedArrays, overTheLimit, silentReaders, slowSenders, wrongEntries];
const tried = attacksOn(STORAGE).filter(
  (one) => STORAGE === 'sqlite' || !AT_THE_DOOR.includes(one),
);

test('under every attack the light realm is served, and all books are right', async (t) => {
  const database = await newDatabase();
  t.after(() => database.drop());
  const plan = { databaseUrl: database.url, strength: 'short', seconds: SECONDS } as const;
  const { results, faults } = await besiege(tried, plan);
  assert.equal(results.length, tried.length);
  assert.deepEqual([...results.flatMap(faultsOf), ...faults], []);
});

function faultsOf({ attack, light, health, answers, isAlive, faults }: Result): string[] {
  const failures = { ...light.failures, ...health.failures };
  const found = [
    ...Object.entries(failures).map(([reason, count]) => `${count} calls failed: ${reason}`),
    ...(isAlive ? [] : ['the process is dead']),
    ...(answers[500] ? [`the attacker got 500 ${answers[500]} times`] : []),
    // Otherwise nothing was attacked, or nothing was measured.
    ...(Object.keys(answers).length > 0 ? [] : ['the attacker got no answer']),
    ...(light.calls > 0 && health.calls > 0 ? [] : ['the light realm did not call']),
    ...faults,
  ];
  return found.map((fault) => `${attack}: ${fault}`);
}
