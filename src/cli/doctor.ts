import { define } from './command.ts';
import type { Finding } from './doctor/finding.ts';
import { counted, table } from './terminal.ts';

export const doctor = define({
  summary: 'Looks for what is wrong with a set-up.',
  notes:
    'Prints one line for each check: a verdict, and what to do. It checks settings, keys, disk,\n' +
    'database, clock, backups, the ends of journals, RPC nodes, webhooks and the token of\n' +
    'Discord. It changes nothing in the database; to measure the disk of a SQLite file, it\n' +
    'writes a small file beside it and deletes that. The service may be running. Exits with 1\n' +
    'if it finds a fault, with 0 if there are only warnings. docs/operations.md lists the checks.',
  example: 'npx realmkeep doctor',
  async run({ print }) {
    // Loaded here, since other commands read no chains.
    const { diagnose } = await import('./doctor/doctor.ts');
    const checks = await diagnose();
    const rows = checks.map(({ verdict, check, detail }) => [verdict, check, detail]);
    const ok = checks.every(({ verdict }) => verdict !== 'fault');
    print({ text: `${table(rows)}\n${summary(checks)}`, json: { ok, checks } });
  },
});

function summary(checks: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) =>
    checks.filter((one) => one.verdict === verdict).length;
  return `${counted(count('fault'), 'fault')}, ${counted(count('warning'), 'warning')}.`;
}
