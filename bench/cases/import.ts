import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../src/cli/demo/people.ts';
import { PostgresServer } from '../../test/support/postgres-server.ts';
import { idAt, REALM } from '../community.ts';
import type { ImportAnswer, ImportRequest } from '../import-run.ts';
import type { Plan } from '../plan.ts';
import { databaseFor, sharePostgres } from '../postgres.ts';
import { startChild } from '../processes.ts';
import { median } from '../statistics.ts';

/** Members in a second, on SQLite. */
export const IMPORT_TARGET = 20_000;

/** What a file has of each member. */
const FILES = {
  'id, name and balance': ['id', 'username', 'points'],
  'the same, an account and a wallet': ['id', 'username', 'points', 'accounts', 'wallets'],
};
type FileName = keyof typeof FILES;

/** The medians of imports into a new database, each by a process of its own. */
interface ImportLine {
  database: 'SQLite' | 'PostgreSQL';
  columns: FileName;
  /** From the start of the process to the end of the import. */
  membersPerSecond: number;
  /** Microseconds of the importing process for one member, over all its threads. */
  processorTime: number;
}

export interface ImportResult {
  members: number;
  lines: ImportLine[];
}

export async function measureImports(
  plan: Plan,
  folder: string,
  progress: (text: string) => void,
): Promise<ImportResult> {
  progress('imports');
  const own = join(folder, 'import');
  mkdirSync(own);
  const server = await PostgresServer.start({ isDurable: true });
  sharePostgres(server.url);
  let databases = 0;
  const newDatabase: Record<ImportLine['database'], () => Promise<string>> = {
    SQLite: async () => `sqlite:${join(own, `${++databases}.db`)}`,
    PostgreSQL: () => databaseFor(`import_${++databases}`),
  };
  const lines: ImportLine[] = [];
  for (const database of ['SQLite', 'PostgreSQL'] as const) {
    for (const columns of Object.keys(FILES) as FileName[]) {
      const file = join(own, `${FILES[columns].length}.csv`);
      writeFileSync(file, fileOf(FILES[columns], plan.imported));
      const rounds: Pick<ImportLine, 'membersPerSecond' | 'processorTime'>[] = [];
      for (let round = 1; round <= plan.rounds; round++) {
        const one = await measure(await newDatabase[database](), file, plan.imported, own);
        rounds.push(one);
        const rate = Math.round(one.membersPerSecond);
        progress(`imports on ${database}, ${columns}, round ${round}: ${rate} members/s`);
      }
      const of = (name: 'membersPerSecond' | 'processorTime') =>
        median(rounds.map((round) => round[name]));
      const membersPerSecond = of('membersPerSecond');
      lines.push({ database, columns, membersPerSecond, processorTime: of('processorTime') });
    }
  }
  await server.stop();
  return { members: plan.imported, lines };
}

/** The process is a new one, since nobody imports twice into a process that is warm. */
async function measure(databaseUrl: string, file: string, members: number, folder: string) {
  const ask = async (args: string[]): Promise<ImportAnswer> => {
    const child = await startChild('import-run.ts', folder);
    const request: ImportRequest = { databaseUrl, args };
    const answer = JSON.parse(await child.ask(JSON.stringify(request))) as ImportAnswer;
    await child.stop();
    return answer;
  };
  await ask(['realm', 'create', REALM, '--name', 'Bench']);
  const start = performance.now();
  const { output, processorTime } = await ask(['import', REALM, file, '--json']);
  const seconds = (performance.now() - start) / 1_000;
  const { enrolled } = JSON.parse(output) as { enrolled: number };
  if (enrolled !== members) throw new Error(`${enrolled} of ${members} members were enrolled`);
  return { membersPerSecond: members / seconds, processorTime: processorTime / members };
}

/** Members in no order, as in most databases. */
function fileOf(columns: readonly string[], members: number): string {
  const random = new Random(members);
  const cells: Record<string, (index: number) => string> = {
    id: idAt,
    username: (index) => `member${index}`,
    points: (index) => String(index % 5_000),
    accounts: (index) => `discord:${idAt(index)}`,
    wallets: () => `0x${random.bytes(20).toString('hex')}`,
  };
  const order = random.shuffle(Array.from({ length: members }, (_, index) => index));
  const rows = order.map((index) => columns.map((name) => cells[name]?.(index)).join(','));
  return `${columns.join(',')}\n${rows.join('\n')}\n`;
}
