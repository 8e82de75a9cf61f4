import {
  type DatabaseAddress,
  type PostgresAddress,
  postgresUrl,
  readConfig,
  sqliteUrl,
} from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { copyRealms, openLedger } from '../storage/storage.ts';
import { parseOption, type Result, UsageError } from './command.ts';
import { abortOf, interruption } from './signals.ts';
import { counted, Progress } from './terminal.ts';
import { faultText } from './verify.ts';

/** Copies all realms and verifies the copy. A signal interrupts either. */
export async function copyAndCheck(fromUrl: string, toUrl: string | undefined): Promise<Result> {
  const from = parseOption('--from', fromUrl, sqliteUrl);
  const to = toUrl === undefined ? configuredTarget() : parseOption('--to', toUrl, postgresUrl);
  using progress = new Progress();
  using interrupt = interruption(OUTCOME_UNKNOWN);
  const { signal } = interrupt;
  const onProgress = (table: string, done: number) =>
    progress.show(`Copying ${table}: ${counted(done, 'row')}`);
  const { rows, wasThere, realms, faults } = await copyRealms(
    from,
    to,
    { onProgress, signal },
    (heads) => check(to, heads, progress, signal),
  );
  const done = wasThere
    ? `An earlier run already copied ${counted(realms, 'realm')}`
    : `Copied ${counted(rows, 'row')} of ${counted(realms, 'realm')}`;
  const ok = faults.length === 0;
  const text = ok
    ? `${done}; the copy is verified.\n${nextStep(from, to)}`
    : `${done}, but the copy has faults:\n${faults.join('\n')}\n${onFaults(to)}`;
  return { text, json: { ok, realms, rows, wasThere, faults } };
}

const OUTCOME_UNKNOWN =
  'Interrupted, and the database does not answer: the copy may or may not be complete. Run it ' +
  'again to find out.';

const nextStep = (from: DatabaseAddress, { shown }: DatabaseAddress): string =>
  `Start the service with a DATABASE_URL for ${shown}. Rename ${from.shown}: a start without ` +
  'DATABASE_URL would continue on the old file.';

const onFaults = ({ shown }: DatabaseAddress): string =>
  `The copy stays in ${shown}. Check the file with "npx realmkeep verify"; before you copy ` +
  'again, drop that database and create a new one.';

function configuredTarget(): PostgresAddress {
  const { database } = readConfig();
  if (database.kind === 'postgres') return database;
  throw new UsageError('Set DATABASE_URL or --to to the PostgreSQL database.');
}

/** Verifies every realm of the copy, and that each journal has the same head as the original. */
async function check(
  database: DatabaseAddress,
  heads: Map<string, string>,
  progress: Progress,
  signal: AbortSignal,
): Promise<string[]> {
  const interrupted = abortOf(signal).then(() => {
    const sentence = `all realms are in ${database.shown}, but not all of them are verified.`;
    throw new OperatorError('interrupted', `Interrupted: ${sentence} Run it again to verify them.`);
  });
  // Nobody may be waiting for it when it rejects.
  interrupted.catch(() => undefined);
  const ledger = await openLedger(database);
  const faults: string[] = [];
  let done = 0;
  try {
    for (const [realmId, head] of heads) {
      done += 1;
      progress.show(`Checking realm ${done} of ${heads.size}`);
      const verdict = await Promise.race([ledger.query('verify', { realmId }), interrupted]);
      if (!verdict?.ok)
        faults.push(`${realmId}: ${verdict ? faultText(verdict.fault) : 'missing'}`);
      else if (verdict.head !== head) faults.push(`${realmId}: its journal has another head`);
    }
    return faults;
  } finally {
    // After an interruption the process ends without waiting for the current check.
    if (!signal.aborted) await ledger.close();
  }
}
