import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Finding } from './cases/case.ts';
import { type RunningServer, startServer } from './processes.ts';
import type { Measurement } from './rounds.ts';

/** Starts every server in its own process and folder. A server without load costs nothing. */
export async function startAll(cases: readonly Case[], folder: string): Promise<Measurement[]> {
  const servers = new Map<string, RunningServer>();
  for (const one of cases) {
    const name = processName(one);
    if (servers.has(name)) continue;
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    servers.set(name, await startServer(one.server, own, one.preload));
  }
  const measurements = cases.flatMap((subject) =>
    subject.connections.map((connections) => ({
      subject,
      connections,
      server: servers.get(processName(subject)) as RunningServer,
      rounds: [],
      acknowledged: 0,
    })),
  );
  return measurements.toSorted((a, b) => a.connections - b.connections);
}

const processName = ({ server, preload = 'plain', isApart }: Case): string =>
  `${server}-${preload}${isApart ? '-apart' : ''}`;

/** Runs the checks of the cases before the load; the result runs them after it. */
export async function startChecks(
  cases: readonly Case[],
  measurements: Measurement[],
): Promise<() => Promise<Finding[]>> {
  const checks: (() => Promise<Finding[]>)[] = [];
  for (const subject of cases) {
    const own = measurements.filter((measurement) => measurement.subject === subject);
    const check = own[0] && (await subject.check?.(own[0].server));
    if (check) checks.push(() => check(own.reduce((sum, one) => sum + one.acknowledged, 0)));
  }
  return async () => {
    const findings: Finding[] = [];
    for (const check of checks) findings.push(...(await check()));
    return findings;
  };
}

/** Stops the servers, so that the next measurement has the machine to itself. */
export async function stopServers(measurements: Measurement[]): Promise<void> {
  const servers = new Set(measurements.map(({ server }) => server));
  await Promise.all(Array.from(servers, (server) => server.stop()));
}
