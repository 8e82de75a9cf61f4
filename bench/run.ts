import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { echo, emptyRoute } from './cases/baselines.ts';
import type { Case, Finding } from './cases/case.ts';
import { getMember } from './cases/get-member.ts';
import { transfer } from './cases/transfer.ts';
import type { EngineResult } from './engine.ts';
import { chooseGenerator } from './load.ts';
import { type RunningServer, runToEnd, startServer, stopAll } from './processes.ts';
import { asText, machine, type Report } from './report.ts';
import { lineOf, type Measurement, type Plan, runRounds } from './rounds.ts';

const USAGE = `Usage: npm run bench -- [--quick] [--json] [--autocannon]

  --quick        one round of 2 seconds instead of three of 5
  --json         print JSON instead of a table
  --autocannon   use autocannon even where wrk is found`;

/** In the order of the table. A new benchmark is a file in cases/ and its name here. */
const cases: readonly Case[] = [echo, emptyRoute, getMember, transfer];
const baseline = emptyRoute;

// The default run is to stay below four minutes; this takes about three and a half.
const PLAN: Plan = { rounds: 3, seconds: 5, firstWarmUp: 2, warmUp: 1 };
const QUICK: Plan = { rounds: 1, seconds: 2, firstWarmUp: 1, warmUp: 1 };
const ENGINE_SECONDS = 1.5;
const ENGINE_TIMEOUT_SECONDS = 60;

const options = readOptions();
const folder = makeFolder();
const interruptions = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, code] of Object.entries(interruptions)) {
  process.once(signal, () => void tidyUp().finally(() => process.exit(code)));
}
try {
  const report = await benchmark(options.quick ? QUICK : PLAN);
  console.log(options.json ? JSON.stringify(report, null, 2) : asText(report));
  const isSound = report.failures.length === 0 && report.findings.every(({ ok }) => ok);
  process.exitCode = isSound ? 0 : 1;
} finally {
  await tidyUp();
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { quick: flag, json: flag, autocannon: flag, help: flag },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  return values;
}

/** Not in the system's temporary folder: where that is memory, no write would reach a disk. */
function makeFolder(): string {
  const data = join(import.meta.dirname, '..', 'data');
  mkdirSync(data, { recursive: true });
  return mkdtempSync(join(data, 'bench-'));
}

async function tidyUp(): Promise<void> {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function benchmark(plan: Plan): Promise<Report> {
  const generator = chooseGenerator(folder, options.autocannon);
  const about = machine(generator.name);
  const measurements = await startAll();
  const check = await watchAll(measurements);
  const failures = await runRounds(measurements, plan, generator, progress);
  const findings = await check();
  progress('the engine alone');
  return {
    machine: about,
    plan: { rounds: plan.rounds, seconds: plan.seconds },
    lines: measurements.map((one) => lineOf(one, measurements, baseline)),
    engine: await runEngine(plan),
    findings,
    failures,
  };
}

/** Every server in a process of its own. Those that get no load cost nothing. */
async function startAll(): Promise<Measurement[]> {
  const servers = new Map<string, RunningServer>();
  for (const { server } of cases) {
    if (!servers.has(server)) servers.set(server, await startServer(server, folder));
  }
  const measurements = cases.flatMap((subject) =>
    subject.connections.map((connections) => ({
      subject,
      connections,
      server: servers.get(subject.server) as RunningServer,
      rounds: [],
      acknowledged: 0,
    })),
  );
  return measurements.toSorted((a, b) => a.connections - b.connections);
}

/** Lets the cases look at their servers now; what it answers lets them look again. */
async function watchAll(measurements: Measurement[]): Promise<() => Promise<Finding[]>> {
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

async function runEngine({ rounds }: Plan): Promise<EngineResult[]> {
  const file = join(import.meta.dirname, 'engine.ts');
  const settings = [file, folder, String(rounds), String(ENGINE_SECONDS)];
  const output = await runToEnd(process.execPath, settings, ENGINE_TIMEOUT_SECONDS);
  return JSON.parse(output) as EngineResult[];
}

/** On standard error, so that the report alone is on standard output. */
function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
