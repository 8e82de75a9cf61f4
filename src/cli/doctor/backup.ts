import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config, SqliteAddress } from '../../config/config.ts';
import { DAY_MS } from '../../domain/rules/time.ts';
import { isOverdue, lastBackup } from '../../storage/backups.ts';
import type { ServerFacts } from '../../store/inspection.ts';
import { lackOfSpace, sizeOf } from '../../store/sqlite/disk.ts';
import { existingFolder } from './disk.ts';
import { type Finding, fault, ok, skipped, warning } from './finding.ts';

/** The newest backup of a SQLite database, as far as the service makes them. */
export function backupFinding(
  database: SqliteAddress,
  { folder, everyMs }: Config['backups'],
  now: number,
): Finding {
  if (folder === null) {
    const advice = 'Set BACKUP_DIR, or run "npx realmkeep backup" from cron (docs/backup.md).';
    return warning(`The service makes no backups. ${advice}`);
  }
  try {
    const lack = folderFault(folder, database.path);
    if (lack !== null) return fault(`The next backup will fail: ${lack}. Correct that.`);
    const last = lastBackup(folder, database, now);
    if (last === null) {
      return warning(`There is no backup in ${folder} yet. The service makes one when it runs.`);
    }
    const found = `The last backup in ${folder} is from ${new Date(last.at).toISOString()}.`;
    if (last.at > now) {
      const advice = 'Check the clock; a running service makes another one within a minute.';
      return warning(`${found} That is in the future, so its age is unknown. ${advice}`);
    }
    if (isOverdue(now - last.at, everyMs)) {
      const advice = 'Look for "the backup failed" in the log, and run "npx realmkeep backup".';
      return fault(`${found} That is more than twice BACKUP_EVERY ago. ${advice}`);
    }
    if (!areOnOneDisk(folder, database.path)) return ok(found);
    const advice = 'Use a folder on another disk, or copy the backups to one.';
    return warning(`${found} It is on the disk of the database, and is lost with it. ${advice}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fault(`BACKUP_DIR ${folder} cannot be read (${code}). Correct that.`);
  }
}

const areOnOneDisk = (folder: string, databasePath: string): boolean =>
  statSync(folder).dev === statSync(existingFolder(dirname(resolve(databasePath)))).dev;

/** Why a backup of the database cannot be written; null if it can. */
function folderFault(folder: string, databasePath: string): string | null {
  const place = existingFolder(resolve(folder));
  // What is no folder, or cannot be read, is told by those who read it.
  if (!statSync(place).isDirectory()) return null;
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return `nothing can be written to BACKUP_DIR ${folder}`;
  }
  return lackOfSpace(place, sizeOf(databasePath));
}

/** Whether what was written recently could be recovered. `lastRecordAt` is 0 without records. */
export function archiveFinding(
  archive: ServerFacts['archive'],
  lastRecordAt: number,
  now: number,
): Finding {
  if (archive === null) {
    return skipped('PostgreSQL is backed up by its own means, which docs/backup.md describes.');
  }
  const { at, failedAt, hasCommand } = archive;
  if (!hasCommand) {
    return fault('archive_mode is on, but nothing is archived: set archive_command, too.');
  }
  const last = at === null ? 'never' : new Date(at).toISOString();
  if (failedAt !== null) {
    const failed = new Date(failedAt).toISOString();
    const advice = 'Correct its archive_command: no later instant can be recovered.';
    const found = `The server failed to archive its log at ${failed} (last success: ${last}).`;
    return fault(`${found} ${advice}`);
  }
  if (at === null) {
    const advice = 'Run "SELECT pg_switch_wal()" on the server, and then the doctor again.';
    return warning(`The server has archived nothing yet, so nothing can be recovered. ${advice}`);
  }
  const found = `The server archived its log last at ${last}.`;
  if (lastRecordAt <= at || now - at <= DAY_MS) return ok(found);
  return warning(`${found} What was written since could not be recovered: set archive_timeout.`);
}
