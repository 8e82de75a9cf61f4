import assert from 'node:assert/strict';
import type { Finding as Judged } from '../../src/cli/doctor/finding.ts';
import type { Cli } from './cli.ts';

export type Finding = { check: string } & Judged;

interface Report {
  ok: boolean;
  checks: Finding[];
}

/** What the doctor finds; its exit code has to fit. */
export async function reportOf(cli: Cli, env: Record<string, string> = {}): Promise<Finding[]> {
  const { code, stdout, stderr } = await cli.run(['doctor', '--json'], env);
  assert.equal(stderr, '');
  const { ok, checks }: Report = JSON.parse(stdout);
  const isSound = checks.every(({ verdict }) => verdict !== 'fault');
  assert.deepEqual([ok, code], [isSound, isSound ? 0 : 1]);
  return checks;
}

export async function findingsOf(
  check: string,
  cli: Cli,
  env?: Record<string, string>,
): Promise<Finding[]> {
  return (await reportOf(cli, env)).filter((finding) => finding.check === check);
}
