import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Finding } from './cases/case.ts';
import { type RunningServer, startServer } from './processes.ts';
import type { Measurement } from './rounds.ts';

/** Every server in a process and a folder of its own. Those that get no load cost nothing. */
export async function startAll(cases: readonly Case[], folder: string): Promise<Measurement[]> {
  const servers = new Map<string, RunningServer>();
  for (const one of cases) {
    const name = processName(one);
    if (servers.has(name)) continue;
    const own = join(folder, name);
    mkdirSync(own);
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

/** Lets the cases look at their servers now; what it answers lets them look again. */
export async function watchAll(
  cases: readonly Case[],
  measurements: Measurement[],
): Promise<() => Promise<Finding[]>> {
  const watches: (() => Promise<Finding[]>)[] = [];
  for (const subject of cases) {
    const own = measurements.filter((measurement) => measurement.subject === subject);
    const look = own[0] && (await subject.watch?.(own[0].server));
    if (look) watches.push(() => look(own.reduce((sum, one) => sum + one.acknowledged, 0)));
  }
  return async () => {
    const findings: Finding[] = [];
    for (const look of watches) findings.push(...(await look()));
    return findings;
  };
}

/** Stops the servers, so that what is measured next has the machine for itself. */
export async function stopServers(measurements: Measurement[]): Promise<void> {
  const servers = new Set(measurements.map(({ server }) => server));
  await Promise.all(Array.from(servers, (server) => server.stop()));
}
