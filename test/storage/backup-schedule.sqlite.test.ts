import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.ts';
import type { Status } from '../../src/http/services.ts';
import { scheduleBackups } from '../../src/storage/backups.ts';
import { sqliteFile } from '../support/database.ts';

const MINUTE = 60_000;
/** By how many milliseconds timers are late, one call after another. */
const LATE = [0, 14, 3, 9, 1, 30, 2];

test('a backup begins every minute, and none is called too old', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-schedule-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const database = sqliteFile(folder);
  await (await database.open()).close();
  const config = readConfig({
    DATABASE_URL: database.url,
    BACKUP_DIR: join(folder, 'backups'),
    BACKUP_EVERY: '1m',
    BACKUP_KEEP: '100',
  });
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const schedule = scheduleBackups(config, {} as Status, logger);
  assert.ok(schedule);

  const startedAt = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: startedAt });
  const { signal } = new AbortController();
  const begins = new Set<number | null>();
  const calls = (5 * MINUTE) / schedule.everyMs;
  for (let call = 0; call <= calls; call += 1) {
    const late = LATE[call % LATE.length] ?? 0;
    t.mock.timers.setTime(startedAt + schedule.firstMs + call * schedule.everyMs + late);
    await schedule.run(signal);
    begins.add(schedule.status.at);
  }
  assert.deepEqual(lines, Array(6).fill('backed up'));
  for (const [minute, at] of [...begins].entries()) {
    const lateBy: number = Number(at) - startedAt - schedule.firstMs - minute * MINUTE;
    assert.ok(lateBy >= 0 && lateBy <= Math.max(...LATE), `${lateBy} ms in minute ${minute}`);
  }
});
