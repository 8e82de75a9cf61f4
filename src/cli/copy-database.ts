import { type DatabaseAddress, databaseAddress, readConfig } from '../config.ts';
import { copyBooks, openLedger, StartError } from '../service.ts';
import { type Said, UsageError } from './command.ts';
import { counted, Progress } from './journal/progress.ts';
import { interruption } from './stopping.ts';
import { faultText } from './verify.ts';

/** Copies all books, checks them at the far side, and tells of it. A signal ends it in one line. */
export async function copyAndCheck(fromUrl: string, toUrl: string | undefined): Promise<Said> {
  const from = addressOf('--from', fromUrl, 'sqlite');
  const to = toUrl === undefined ? targetOfSettings() : addressOf('--to', toUrl, 'postgres');
  const progress = new Progress();
  const { signal, end } = interruption(NOT_KNOWN);
  try {
    const onProgress = (table: string, done: number) =>
      progress.tell(`Copying ${table}: ${counted(done, 'row')}`);
    const { rows, wasThere, heads, faults } = await copyBooks(
      from,
      to,
      { onProgress, signal },
      async (copied, noteInFile) => {
        const found = await check(to, copied.heads, progress, signal);
        if (found.length === 0) noteInFile();
        return { ...copied, faults: found };
      },
    );
    const done = wasThere
      ? `The books of ${counted(heads.size, 'realm')} were there already, and were checked now`
      : `Copied ${counted(rows, 'row')} of ${counted(heads.size, 'realm')}`;
    const ok = faults.length === 0;
    const text = ok
      ? `${done}; all books are true.\n${nextStep(from, to)}`
      : `${done}, but not all books are true:\n${faults.join('\n')}\n${notTrue(to)}`;
    return { text, json: { ok, realms: heads.size, rows, wasThere, faults } };
  } finally {
    end();
    progress.end();
  }
}

const NOT_KNOWN =
  'Interrupted, and the database does not answer: whether the copy was kept is not known. Run it ' +
  'again to find out.';

const nextStep = (from: DatabaseAddress, { shown }: DatabaseAddress): string =>
  `Start the service with a DATABASE_URL that leads to ${shown}. It makes statements and boards ` +
  'anew from the journals; everything else is there at once. Rename ' +
  `${from.shown}: a start without DATABASE_URL would go on with the old books.`;

const notTrue = ({ shown }: DatabaseAddress): string =>
  `They lie in ${shown} as they were copied. Look at the file with "realmkeep verify"; before ` +
  'you copy again, drop that database and create it anew.';

function addressOf(name: string, url: string, kind: DatabaseAddress['kind']): DatabaseAddress {
  const faults: string[] = [];
  const address = databaseAddress(url, faults, name, [kind]);
  if (faults.length > 0) throw new UsageError(`${faults.join('; ')}.`);
  return address;
}

function targetOfSettings(): DatabaseAddress {
  const { database } = readConfig();
  if (database.kind === 'postgres') return database;
  throw new UsageError('Name the PostgreSQL database by DATABASE_URL or --to.');
}

/** Checks every chain and every balance at the far side, and that each ends as it did here. */
async function check(
  database: DatabaseAddress,
  heads: Map<string, string>,
  progress: Progress,
  signal: AbortSignal,
): Promise<string[]> {
  const interrupted = whenInterrupted(database, signal);
  const ledger = await openLedger({ database });
  const faults: string[] = [];
  let done = 0;
  try {
    for (const [realmId, head] of heads) {
      done += 1;
      progress.tell(`Checking realm ${done} of ${heads.size}`);
      const verdict = await Promise.race([ledger.query('verify', { realmId }), interrupted]);
      if (!verdict?.ok)
        faults.push(`${realmId}: ${verdict ? faultText(verdict.fault) : 'missing'}`);
      else if (verdict.head !== head) faults.push(`${realmId}: its journal ends differently`);
    }
    return faults;
  } finally {
    // Whoever interrupts does not wait for the check that is under way: the process ends.
    if (!signal.aborted) await ledger.close();
  }
}

/** Rejects when the check is given up. */
function whenInterrupted({ shown }: DatabaseAddress, signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const tell = (): void => {
    const sentence = `Interrupted: all books are in ${shown}, but not all of them were checked.`;
    reject(new StartError('interrupted', `${sentence} Run it again to check them.`));
  };
  // It may come when nobody waits for it.
  promise.catch(() => undefined);
  signal.addEventListener('abort', tell);
  if (signal.aborted) tell();
  return promise;
}
