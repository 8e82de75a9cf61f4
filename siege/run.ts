import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newFolder } from '../bench/folder.ts';
import { newPostgresDatabase, sqliteFile, type TestDatabase } from '../test/support/database.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { attacks, attacksOn } from './attacks.ts';
import { missed, type Result } from './bars.ts';
import { asText, lineOf } from './report.ts';
import { besiege } from './siege.ts';

const USAGE = `Usage: npm run siege -- [--database sqlite|postgres|both] [--only <attack>]
                        [--seconds <n>] [--quick] [--json]

  --database <name>  the database of the service: sqlite (default), postgres or both
  --only <attack>    only attacks with this part in their names; may be repeated
  --seconds <n>      how long each attack lasts (10)
  --quick            the strength of the tests, for 2 seconds
  --json             print JSON instead of a table

Exits with 1 if a bar is missed. Attacks:
${attacks.map(({ name, description }) => `  ${name.padEnd(21)}${description}`).join('\n')}`;

const startedAt = performance.now();
const options = readOptions();
const folder = newFolder('siege');
// An exit also stops the processes that it started.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const results: Result[] = [];
for (const kind of options.databases) {
  const server = kind === 'postgres' ? await PostgresServer.start({ isDurable: true }) : null;
  for (const attack of attacksOn(kind).filter((one) => options.attacks.includes(one))) {
    const database = await newDatabase(server);
    progress(`${attack.name} on ${kind}: ${attack.description}`);
    const plan = { databaseUrl: database.url, ...options.plan };
    const {
      results: [result],
      faults,
    } = await besiege([attack], plan);
    if (!result) throw new Error(`${attack.name} has no result`);
    result.faults.push(...faults);
    results.push(result);
    progress(lineOf(result));
    await database.drop();
  }
  await server?.stop();
}
console.log(options.isJson ? JSON.stringify(results, null, 2) : asText(results));
process.exit(results.every((result) => missed(result).length === 0) ? 0 : 1);

function readOptions() {
  const { values } = parseArgs({
    options: {
      database: { type: 'string', default: 'sqlite' },
      only: { type: 'string', multiple: true, default: [''] },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) exit(USAGE, 0);
  const databases = { sqlite: ['sqlite'], postgres: ['postgres'], both: ['sqlite', 'postgres'] }[
    values.database
  ];
  const chosen = attacks.filter(({ name }) => values.only.some((part) => name.includes(part)));
  const seconds = Number(values.seconds ?? (values.quick ? 2 : 10));
  if (!databases || chosen.length === 0 || !(seconds > 0)) exit(USAGE, 2);
  const strength = values.quick ? ('short' as const) : ('full' as const);
  return { databases, attacks: chosen, plan: { strength, seconds }, isJson: values.json };
}

function exit(text: string, code: number): never {
  console.log(text);
  process.exit(code);
}

function newDatabase(server: PostgresServer | null): Promise<TestDatabase> | TestDatabase {
  return server ? newPostgresDatabase(server.url) : sqliteFile(mkdtempSync(join(folder, 'db-')));
}

/** On standard error, so that standard output contains only the report. */
function progress(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${text}\n`);
}
