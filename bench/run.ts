import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { echo, emptyRoute, plainRoute, plainRouteBesidePostgres } from './cases/baselines.ts';
import { measureBatches } from './cases/batch.ts';
import type { Case } from './cases/case.ts';
import { claim } from './cases/claim.ts';
import { measureClient } from './cases/client.ts';
import { getMember, getMemberOfMillion } from './cases/get-member.ts';
import { measureEngine } from './cases/hash-chain.ts';
import { measureImports } from './cases/import.ts';
import { leaderboard } from './cases/leaderboard.ts';
import { transferOverRealms } from './cases/many-realms.ts';
import { ownRank, ownRankOfMillion } from './cases/own-rank.ts';
import { measurePgbench } from './cases/pgbench.ts';
import {
  getMemberOnPostgres,
  transferOnPostgres,
  transferOverRealmsOnPostgres,
  usualWay,
  usualWayPrepared,
} from './cases/postgres.ts';
import { statement } from './cases/statement.ts';
import { measureStreams, transferBesideListeners } from './cases/streams.ts';
import { transfer } from './cases/transfer.ts';
import { transferWithoutChain } from './cases/transfer-without-chain.ts';
import { measureWalletChecks } from './cases/wallet-check.ts';
import { startAll, startChecks, stopServers } from './contest.ts';
import { newFolder } from './folder.ts';
import { chooseGenerator, type LoadGenerator } from './load.ts';
import { PLAN, type Plan, QUICK } from './plan.ts';
import { sharePostgres } from './postgres.ts';
import { stopAll } from './processes.ts';
import { asText, type ChainOverHttp, machine, type Report } from './report.ts';
import {
  comparisonsOf,
  lineOf,
  type Measurement,
  reachesOf,
  runRounds,
  shareLost,
} from './rounds.ts';

const USAGE = `Usage: npm run bench -- [--quick] [--only <part>] [--json] [--autocannon]

  --quick        one short round instead of three
  --only <part>  only benchmarks with this part in their names, and those they are compared
                 with; besides the names in the table there are "batch", "wallets",
                 "imports", "streams", "client" and "engine"; may be repeated
  --json         print JSON instead of tables
  --autocannon   use autocannon even if wrk is installed`;

/** In the order of the table. A new benchmark is a file in cases/ and its name here. */
const cases: readonly Case[] = [
  echo,
  emptyRoute,
  plainRoute,
  getMember,
  transfer,
  claim,
  transferWithoutChain,
  transferOverRealms,
  transferBesideListeners,
  plainRouteBesidePostgres,
  getMemberOnPostgres,
  usualWay,
  usualWayPrepared,
  transferOnPostgres,
  transferOverRealmsOnPostgres,
  statement,
  getMemberOfMillion,
  leaderboard,
  ownRank,
  ownRankOfMillion,
];
const baseline = emptyRoute;

const options = readOptions();
const folder = newFolder('bench');
const interruptions = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, code] of Object.entries(interruptions)) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(code)));
}
try {
  const report = await benchmark(options.quick ? QUICK : PLAN);
  console.log(options.json ? JSON.stringify(report, null, 2) : asText(report));
  const isSound = report.failures.length === 0 && report.findings.every(({ ok }) => ok);
  process.exitCode = isSound ? 0 : 1;
} finally {
  await cleanUp();
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: {
      quick: flag,
      only: { type: 'string', multiple: true },
      json: flag,
      autocannon: flag,
      help: flag,
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  return values;
}

async function cleanUp(): Promise<void> {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function benchmark(plan: Plan): Promise<Report> {
  const generator = chooseGenerator(folder, options.autocannon);
  const about = machine(generator.name);
  const chosen = chooseCases();
  const of = (name?: Case['contest']) => chosen.filter((one) => one.contest === name);
  const files = await contest(of(), plan, generator);
  const large = await contest(of('large realms'), plan, generator);
  const postgres = await startPostgres(of('PostgreSQL'));
  const contests = [files, large, await contest(of('PostgreSQL'), plan, generator)];
  const pgbench = postgres && (await measurePgbench(plan, progress));
  await postgres?.stop();
  const measurements = contests
    .flatMap((one) => one.measurements)
    .toSorted((a, b) => a.connections - b.connections);
  return {
    machine: about,
    plan: { rounds: plan.rounds, seconds: plan.seconds },
    lines: measurements.map((one) => lineOf(one, measurements, baseline)),
    comparisons: measurements.flatMap((one) => comparisonsOf(one, measurements)),
    reaches: measurements.flatMap((one) => reachesOf(one, measurements)),
    pgbench,
    walletCheck: isChosen('wallets') ? await measureWalletChecks(plan, folder, progress) : null,
    batch: isChosen('batch') ? await measureBatches(plan, folder, progress) : null,
    imports: isChosen('imports') ? await measureImports(plan, folder, progress) : null,
    streams: isChosen('streams') ? await measureStreams(plan, folder, progress) : null,
    client: isChosen('client') ? await measureClient(plan, folder, progress) : null,
    engine: isChosen('engine') ? await measureEngine(plan, folder, progress) : [],
    chainOverHttp: measurements.flatMap((one) => chainOverHttp(one, measurements)),
    findings: contests.flatMap(({ findings }) => findings),
    failures: contests.flatMap(({ failures }) => failures),
  };
}

/**
 * Only the servers of one contest run at a time: the clean-up of PostgreSQL in the minutes after a
 * load would disturb others on the same disk. And they are few enough that each has its next turn
 * within a minute: some machines drop files from memory that were not used for that long.
 */
async function contest(chosen: Case[], plan: Plan, generator: LoadGenerator) {
  const measurements = await startAll(chosen, folder);
  const check = await startChecks(chosen, measurements);
  const failures = await runRounds(measurements, plan, generator, progress);
  const findings = await check();
  await stopServers(measurements);
  return { measurements, findings, failures };
}

/** A PostgreSQL that waits for the disk at every commit, as in production. */
async function startPostgres(chosen: Case[]): Promise<PostgresServer | null> {
  if (chosen.length === 0) return null;
  progress('starting PostgreSQL');
  const server = await PostgresServer.start({ isDurable: true });
  sharePostgres(server.url);
  return server;
}

function isChosen(name: string): boolean {
  const { only = [''] } = options;
  return only.some((part) => name.toLowerCase().includes(part.toLowerCase()));
}

/** The selected cases and those they are compared with. */
function chooseCases(): Case[] {
  const chosen = new Set(cases.filter(({ name }) => isChosen(name)));
  for (const { targets, costs, reaches, preload } of [...chosen]) {
    if (targets) chosen.add(baseline);
    if (costs) chosen.add(costs.timesOf);
    for (const { timesOf } of reaches ?? []) chosen.add(timesOf);
    if (preload) chosen.add(transfer);
  }
  return cases.filter((one) => chosen.has(one));
}

function chainOverHttp(one: Measurement, all: Measurement[]): ChainOverHttp[] {
  const { subject, connections } = one;
  const unchained = all.find(
    (m) => m.subject === transferWithoutChain && m.connections === connections,
  );
  if (subject !== transfer || !unchained) return [];
  const [withChain, withoutChain] = [one, unchained].map((m) => lineOf(m, all, baseline));
  if (!withChain || !withoutChain) return [];
  const { requestsPerSecond, processorTime } = withChain;
  const chainTakes = shareLost(one, unchained);
  return [{ connections, requestsPerSecond, processorTime, withoutChain, chainTakes }];
}

/** On standard error, so that standard output contains only the report. */
function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
