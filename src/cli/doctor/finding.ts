/** `skipped`: it does not apply, or could not be checked because of another fault. */
export type Verdict = 'ok' | 'warning' | 'fault' | 'skipped';

export interface Finding {
  verdict: Verdict;
  /** What was found and, unless it is as it should be, what to do. */
  detail: string;
}

const finding =
  (verdict: Verdict) =>
  (detail: string): Finding => ({ verdict, detail });

export const ok = finding('ok');
export const warning = finding('warning');
export const fault = finding('fault');
export const skipped = finding('skipped');
