/** `skipped`: it does not apply, or could not be checked because of another fault. */
export type Verdict = 'ok' | 'warning' | 'fault' | 'skipped';

/** What is looked at, in the order of the report. */
export type Check =
  | 'configuration'
  | 'keys'
  | 'disk'
  | 'fsync'
  | 'database'
  | 'migrations'
  | 'clock'
  | 'backup'
  | 'journal'
  | 'erasures'
  | 'rpc'
  | 'webhooks'
  | 'service';

/** A line of the report. */
export interface Finding {
  check: Check;
  verdict: Verdict;
  /** What was found and, unless it is as it should be, what to do. */
  detail: string;
}

/** The findings of one check. */
export const about = (check: Check) => ({
  ok: (detail: string): Finding => ({ check, verdict: 'ok', detail }),
  warning: (detail: string): Finding => ({ check, verdict: 'warning', detail }),
  fault: (detail: string): Finding => ({ check, verdict: 'fault', detail }),
  skipped: (detail: string): Finding => ({ check, verdict: 'skipped', detail }),
});
