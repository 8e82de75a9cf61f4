import type { DatabaseAddress } from '../config/config.ts';
import { type MigrationPlan, planMigration } from '../storage.ts';
import { megabytes } from './backup.ts';
import type { Result } from './command.ts';
import { counted } from './progress.ts';

/** To copy and verify a file, or to project all of it, took less on two busy cores. */
const BYTES_PER_SECOND = 7e6;

interface Step {
  step: 'backup' | 'migration' | 'projections';
  /** As in "1. Applies …". */
  text: string;
  seconds: number;
}

/** Says what a migration would do, step by step. */
export async function shownPlan(
  database: DatabaseAddress,
  backupPlace: string | null,
): Promise<Result> {
  const plan = await planMigration(database);
  const { version, target, migrations } = plan;
  const steps = stepsOf(plan, backupPlace);
  const { shown } = database;
  const lines =
    steps.length === 0
      ? [`${shown} is up to date: it has schema version ${version}. There is nothing to do.`]
      : [
          `${shown} has schema version ${version}, and this program has ${target}.`,
          ...steps.map(({ text, seconds }, index) => `${index + 1}. ${text}: ${duration(seconds)}`),
          'Nothing was changed.',
        ];
  return { text: lines.join('\n'), json: { version, target, migrations, steps } };
}

function stepsOf(plan: MigrationPlan, backupPlace: string | null): Step[] {
  const { migrations, bytes, isProjectedAnew, version } = plan;
  const seconds = bytes / BYTES_PER_SECOND;
  const isBackedUp = backupPlace !== null && needsBackup(plan);
  const backup = `Back up ${megabytes(bytes)} to ${backupPlace}, and verify the copy`;
  const rebuilt = 'At the next start, rebuild statements, leaderboards and searches';
  return [
    ...(isBackedUp ? [{ step: 'backup' as const, text: backup, seconds }] : []),
    ...migrations.map((one) => ({
      step: 'migration' as const,
      text: `Apply migration ${one.version}, which ${one.actions.join(', ')}${rowsText(one.rows)}`,
      seconds: one.seconds,
    })),
    ...(isProjectedAnew && version > 0
      ? [{ step: 'projections' as const, text: rebuilt, seconds }]
      : []),
  ];
}

/** A database that stays as it is, or is yet to be created, needs none. */
export const needsBackup = ({ version, migrations }: MigrationPlan): boolean =>
  version > 0 && migrations.length > 0;

const rowsText = (rows: number): string => (rows === 0 ? '' : ` (${counted(rows, 'row')})`);

function duration(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `about ${counted(Math.round(seconds), 'second')}`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90
    ? `about ${minutes} minutes`
    : `about ${counted(Math.round(minutes / 60), 'hour')}`;
}
