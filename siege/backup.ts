import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { newFolder } from '../bench/folder.ts';
import { table, whole } from '../bench/table.ts';
import { backUpUnderLoad } from './backup-under-load.ts';

const USAGE = `Usage: npm run siege:backup -- [--records <n>] [--rate <n>]

  --records <n>  records in the database before (400000)
  --rate <n>     writes that are sent a second (600)

Backs up a service under load, restores the backup elsewhere, verifies it, and looks for every write
that was acknowledged before the backup began. Exits with 1 if one is missing, or if fewer than 500
writes a second were acknowledged.`;

/** Of `npm run siege:backup` alone: how quick a machine is, is no matter of tests. */
const MIN_RATE = 500;
/** The load before the backup, in seconds of the rate. */
const SECONDS_BEFORE = 10;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '400000' },
    rate: { type: 'string', default: '600' },
    help: { type: 'boolean', default: false },
  },
});
const [records, rate] = [Number(values.records), Number(values.rate)];
if (values.help || !(records >= 0 && rate > 0)) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
const folder = newFolder('backup');
// An exit also stops the processes that it started.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const startedAt = performance.now();
const { before, during, faults } = await backUpUnderLoad({
  folder,
  records,
  before: SECONDS_BEFORE * rate,
  rate,
  progress: (step) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4);
    process.stderr.write(`${seconds} s  ${step}\n`);
  },
});
const phases = Object.entries({ 'before the backup': before, 'while it was made': during });
const rows = phases.map(([name, { writes, seconds }]) => [
  name,
  whole(writes),
  seconds.toFixed(1),
  whole(writes / seconds),
]);
console.log(table(['acknowledged writes', 'count', 'seconds', 'a second'], rows).join('\n'));
console.log(faults.length > 0 ? faults.join('\n') : 'All of those before it are in the backup.');
const isQuick = phases.every(([, { writes, seconds }]) => writes / seconds >= MIN_RATE);
if (!isQuick) console.log(`That is fewer than ${MIN_RATE} a second. Try a machine that is idle.`);
process.exit(faults.length === 0 && isQuick ? 0 : 1);
