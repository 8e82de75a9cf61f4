import type { Form } from './caller-settings.ts';

export interface BackupSettings {
  /** Null if there are to be no backups. */
  folder: string | null;
  everyMs: number;
  /** How many are kept. */
  keep: number;
}

export const MAX_KEPT = 10_000;

export const SQLITE_ONLY =
  'BACKUP_DIR must not be set with a PostgreSQL database; docs/backup.md says how to back that up';

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 30 * 86_400_000;

/** A time such as `30m`, `6h` or `1d`, in milliseconds. */
export const interval: Form<number> = {
  fault: 'must be a number of minutes, hours or days such as 30m, 6h or 1d, of 30 days at most',
  parse: (text) => {
    const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
    const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
    return ms <= MAX_MS ? ms : undefined;
  },
};
