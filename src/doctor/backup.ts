import { isOverdue, lastBackup } from '../backups.ts';
import type { Config } from '../config/config.ts';
import type { ServerFacts } from '../store/inspection.ts';
import { about, type Finding } from './finding.ts';

const { ok, warning, fault, skipped } = about('backup');

/** The newest backup of a SQLite database, as far as the service makes them. */
export function backupFinding({ database, backups }: Config, now: number): Finding {
  const { folder } = backups;
  if (database.kind !== 'sqlite') return skipped('PostgreSQL has backups of its own.');
  if (folder === null) {
    const advice = 'Set BACKUP_DIR, or run "npx realmkeep backup" from cron (docs/backup.md).';
    return warning(`The service makes no backups. ${advice}`);
  }
  try {
    const last = lastBackup(folder, database);
    if (last === null) {
      return warning(`There is no backup in ${folder} yet. The service makes one when it runs.`);
    }
    const found = `The last backup in ${folder} is from ${new Date(last.at).toISOString()}.`;
    if (!isOverdue(now - last.at, backups.everyMs)) return ok(found);
    const advice = 'Look for "the backup failed" in the log, and run "npx realmkeep backup".';
    return fault(`${found} That is more than twice BACKUP_EVERY ago. ${advice}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fault(`BACKUP_DIR ${folder} cannot be read (${code}). Correct that.`);
  }
}

export function archiveFinding(server: ServerFacts | null): Finding {
  if (!server?.archive) {
    return skipped('PostgreSQL is backed up by its own means, which docs/backup.md describes.');
  }
  const { at, failedAt } = server.archive;
  const last = at === null ? 'never' : new Date(at).toISOString();
  if (failedAt === null) return ok(`The server archived its log last at ${last}.`);
  return fault(
    `The server failed to archive its log at ${new Date(failedAt).toISOString()} (last success: ` +
      `${last}). Correct its archive_command: no later instant can be recovered.`,
  );
}
