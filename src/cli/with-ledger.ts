import { type DatabaseAddress, readConfig } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Operation } from '../contract/operation.ts';
import { ProblemError, type RequestFault } from '../contract/problems.ts';
import { type RequestParts, requestCheck } from '../contract/validation.ts';
import type { AnswerTo, CommandName, CommandOf, Envelope } from '../domain/commands.ts';
import type { Member, Realm } from '../domain/model.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import type { Page } from '../domain/rules/pages.ts';
import type { Executor, Ledger } from '../ledger/ledger.ts';
import { openLedger, openWriter, schemaVersions } from '../storage/storage.ts';
import { UsageError } from './command.ts';

const ROWS_PER_PAGE = 500;

/**
 * The database of DATABASE_URL. A command run in the wrong folder must not create one there, and
 * none may migrate: an older release that still runs could not start again.
 */
export async function existingDatabase({ create = false } = {}): Promise<DatabaseAddress> {
  const { database } = readConfig();
  const { version, target } = await schemaVersions(database);
  if (version === 0 && !create) {
    throw new OperatorError(
      'database-unusable',
      `There is no database ${database.shown}. Set DATABASE_URL, or create a realm first with ` +
        '"npx realmkeep realm create acme --name Acme".',
    );
  }
  if (version === 0 || version === target) return database;
  throw new OperatorError(
    'database-older',
    `The database ${database.shown} has schema version ${version}, and this program works with ` +
      `${target}. Run "npx realmkeep migrate --plan", then migrate (docs/upgrading.md).`,
  );
}

/** Opens the database of DATABASE_URL, which a running service may be using. */
export async function withLedger<T>(
  work: (ledger: Ledger) => Promise<T>,
  options?: { create: boolean },
): Promise<T> {
  const ledger = await openLedger(await existingDatabase(options));
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** Executes many commands beside this thread, which prepares the next ones meanwhile. */
export async function withWriter<T>(
  ledger: Ledger,
  work: (writer: Executor) => Promise<T>,
): Promise<T> {
  const writer = await openWriter(readConfig().database);
  try {
    return await work(writer ?? ledger);
  } finally {
    await writer?.close();
  }
}

export const asCli = (realmId: string): Envelope => ({ realmId, actor: 'cli', idempotency: null });

/** Executes a command; a refusal is thrown as its problem. */
export async function execute<N extends CommandName>(
  ledger: Executor,
  command: CommandOf<N>,
): Promise<AnswerTo<N>> {
  return (await executeOnce(ledger, command)).answer;
}

/** The same for a command with an idempotency key, which may have been executed before. */
export async function executeOnce<N extends CommandName>(
  ledger: Executor,
  command: CommandOf<N>,
): Promise<{ answer: AnswerTo<N>; replayed: boolean }> {
  const outcome = await ledger.execute(command);
  if ('answer' in outcome) return outcome;
  if ('refusal' in outcome) throw new ProblemError(outcome.refusal.code, outcome.refusal.extra);
  throw new Error(outcome.fault);
}

export async function requireRealm(ledger: Ledger, realmId: string): Promise<Realm> {
  const realm = await ledger.query('realm', { realmId });
  if (realm) return realm;
  throw new ProblemError('realm-not-found', { realmId });
}

/** The rows of a list, page by page. `next` reads the page after the given row. */
export async function* pagesOf<Row>(
  next: (last: Row | undefined, limit: number) => Promise<Page<Row>>,
): AsyncGenerator<Row[]> {
  let page: Page<Row> = { rows: [], hasMore: true };
  while (page.hasMore) {
    page = await next(page.rows.at(-1), ROWS_PER_PAGE);
    yield page.rows;
  }
}

/** The records of a realm's journal, page by page, from the one after this. */
export const recordPages = (ledger: Ledger, realmId: string, start = 0) =>
  pagesOf<JournalRecord>((last, limit) =>
    ledger.query('records', { realmId, after: last?.seq ?? start, limit }),
  );

/** The members of a list, page by page; a page may have none before the last one. */
export async function* memberPages<After>(
  next: (params: { after: After | null; now: number; limit: number }) => Promise<{
    members: Member[];
    next: After | null;
  }>,
): AsyncGenerator<Member[]> {
  let after: After | null = null;
  do {
    const page = await next({ after, now: Date.now(), limit: ROWS_PER_PAGE });
    yield page.members;
    after = page.next;
  } while (after !== null);
}

export async function allRealms(ledger: Ledger): Promise<Realm[]> {
  const pages = pagesOf<Realm>((last, limit) =>
    ledger.query('realms', { after: last?.id ?? null, limit }),
  );
  return (await Array.fromAsync(pages)).flat();
}

/** The argument or option for each field of a request that commands send. */
const ARGUMENTS = {
  '/path/realmID': '<realm>',
  '/path/keyID': '<keyId>',
  '/path/memberID': '<member>',
  '/query/search': '--search',
  '/query/account': '--account',
  '/query/status': '--status',
  '/query/limit': '--limit',
  '/id': '<id>',
  '/points': '--points',
  '/name': '--name',
  '/scopes': '--scopes',
  '/expiresAt': '--expires',
  '/overlapSeconds': '--overlap',
  '/tokens': '<tokens>',
  '/description': '--description',
  '/realmPointId': '--kind',
  '/header/idempotency-key': '--key',
};

/** Checks arguments as the API checks the same request. `names` overrides how they are named. */
export function checkArguments(
  operation: Operation,
  parts: Partial<RequestParts>,
  names: Record<string, string> = {},
): void {
  try {
    const { params = {}, query = {}, headers = {}, body } = parts;
    requestCheck(operation)({ params, query: given(query), headers, body: given(body) });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const faults = (error.extra.errors ?? []) as RequestFault[];
    const known = Object.entries({ ...ARGUMENTS, ...names });
    const sentences = faults.map(({ pointer, detail }) => {
      const [, name] = known.find(([field]) => `${pointer}/`.startsWith(`${field}/`)) ?? [];
      return `${name ?? pointer} ${inWords(detail)}`;
    });
    throw new UsageError(`${[...new Set(sentences)].join('; ')}.`);
  }
}

/** Without what was not typed. */
const given = (part: unknown): unknown =>
  part && Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/** A command line has neither JSON nor headers. */
const inWords = (detail: string): string =>
  detail.replace('a JSON integer', 'an integer').replace('be a single header of', 'have');
