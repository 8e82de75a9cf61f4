import { signal } from '@preact/signals';
import { addresses } from '../addresses.ts';
import { enrol, type Made } from '../api/enrol.ts';
import { isOutcomeUnknown } from '../api/faults.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { createKinds } from '../api/new-kinds.ts';
import { undoImport } from '../api/undo-import.ts';
import { fingerprintOf } from '../text/fingerprint.ts';
import { plural } from '../text/format.ts';
import { inSendingOrder, nextBatch, type ReadRow } from '../text/import.ts';
import type { NewKind } from '../text/import-columns.ts';
import { toast } from './toasts.ts';

export interface ImportFile {
  name: string;
  headers: string[];
  rows: ReadRow[];
  /** Kinds of points that are created first. */
  kinds: NewKind[];
  /** Whether members who are enrolled already get opening balances. */
  opensPresent: boolean;
}

/** The import of one file. It goes on while other views are shown. */
export interface ImportRun {
  /** Part of the idempotency keys of rows with ids. */
  id: string;
  file: ImportFile;
  /** The rows without faults, in the order in which they are sent. */
  good: ReadRow[];
  phase: 'running' | 'stopping' | 'stopped' | 'done' | 'undoing' | 'undone';
  /** A record of the journal before the first one of the import. */
  after: number;
  /** How many of the good rows have an answer. */
  answered: number;
  /** How many after those were sent without one: they may be enrolled or not. */
  inDoubt: number;
  /** Who was enrolled, or got opening balances. */
  made: Made[];
  enrolled: number;
  /** How many an earlier import of the same rows has enrolled. */
  before: number;
  /** How much of it is undone, from 0 to 1. */
  undone: number;
  /** Why a row was refused, by its line. */
  refused: Map<number, string>;
  /** How often each batch was answered: a file may have the same rows again. */
  batches: Map<string, number>;
  /** What stopped it. */
  error: Error | null;
}

/** By realm: the last one of each, as long as the page is open. */
export const imports = signal<Record<string, ImportRun>>({});

export const isUnderWay = (run: ImportRun | undefined): boolean =>
  run !== undefined && ['running', 'stopping', 'undoing'].includes(run.phase);

/** Only once, if the button is pressed twice. `after` is the last record that is known. */
export function startImport(realm: string, file: ImportFile, after = 0): void {
  if (imports.value[realm]) return;
  const good = inSendingOrder(file.rows);
  const counts = { answered: 0, inDoubt: 0, enrolled: 0, before: 0, undone: 0 };
  const lists = { refused: new Map(), batches: new Map(), made: [] };
  const id = newIdempotencyKey();
  set(realm, { id, file, good, phase: 'running', after, ...counts, ...lists, error: null });
  void send(realm, file);
}

/** After the rows that are on their way. */
export function stopImport(realm: string): void {
  const run = imports.value[realm];
  if (run?.phase === 'running') set(realm, { ...run, phase: 'stopping' });
}

export function continueImport(realm: string): void {
  const run = imports.value[realm];
  if (run?.phase !== 'stopped') return;
  set(realm, { ...run, phase: 'running', error: null });
  void send(realm, run.file);
}

/** All of it, or nothing if something of it was spent. What is not undone yet can be later. */
export async function takeBackImport(realm: string): Promise<void> {
  const run = imports.value[realm];
  if (!run || isUnderWay(run)) return;
  set(realm, { ...run, phase: 'undoing', error: null });
  const current = () => imports.value[realm]?.file === run.file;
  try {
    await undoImport(realm, run.made, run.after, (done, all) => {
      if (current()) set(realm, { ...run, phase: 'undoing', undone: done / all, error: null });
    });
    if (!current()) return;
    generation = newIdempotencyKey();
    end(realm, { ...run, phase: 'undone', undone: 1, error: null }, 'undone');
  } catch (error) {
    if (current()) end(realm, { ...run, error: error as Error }, 'not undone');
  }
}

export function dismissImport(realm: string): void {
  const { [realm]: _, ...others } = imports.value;
  imports.value = others;
}

/** Nothing of a session that is over stays in the browser. */
export const forgetImports = (): void => {
  imports.value = {};
};

/** Part of the idempotency keys of rows without ids: what was undone can be imported again. */
let generation = '';

/** The realm whose import is in sight, which needs no toast. */
let shown: string | null = null;

export function showImport(realm: string): () => void {
  shown = realm;
  return () => {
    shown = null;
  };
}

const set = (realm: string, run: ImportRun): void => {
  imports.value = { ...imports.value, [realm]: run };
};

/** Sends batch after batch until there are none, it is stopped, or an answer does not come. */
async function send(realm: string, file: ImportFile): Promise<void> {
  // Null once it is dismissed, or the session is over.
  const current = (): ImportRun | null => {
    const run = imports.value[realm];
    return run?.file === file ? run : null;
  };
  const refusal = await createKinds(realm, file.kinds).catch((error: Error) => error);
  const started = current();
  if (started && refusal) {
    end(realm, { ...started, phase: 'stopped', error: refusal });
    return;
  }
  for (let run = current(); run; run = current()) {
    const batch = nextBatch(run.good, run.answered);
    if (batch.length === 0 || run.phase === 'stopping') {
      end(realm, { ...run, phase: batch.length === 0 ? 'done' : 'stopped' });
      return;
    }
    const answer = await answerTo(realm, run, batch);
    const now = current();
    if (!now) return;
    if (answer instanceof Error) {
      const inDoubt = isOutcomeUnknown(answer) ? batch.length : now.inDoubt;
      end(realm, { ...now, phase: 'stopped', inDoubt, error: answer });
      return;
    }
    set(realm, withAnswer(now, batch, answer));
  }
}

const fingerprint = (batch: ReadRow[]): string =>
  fingerprintOf(JSON.stringify(batch.map(({ member }) => member)));

/**
 * Whoever has an id is enrolled once anyway: each import asks anew. The same rows without ids are
 * those of an earlier import, unless this file has them again.
 */
const seriesOf = ({ id, batches }: ImportRun, batch: ReadRow[]): string =>
  batch[0]?.member.id === undefined ? `${batches.get(fingerprint(batch)) ?? 0}${generation}` : id;

type Answer = Awaited<ReturnType<typeof enrol>>;

async function answerTo(realm: string, run: ImportRun, batch: ReadRow[]): Promise<Answer | Error> {
  try {
    const members = batch.map(({ member }) => member);
    const opensPresent = run.file.opensPresent && members[0]?.id !== undefined;
    return await enrol(realm, members, seriesOf(run, batch), opensPresent);
  } catch (error) {
    return error as Error;
  }
}

/** The lists grow in place: copied for each batch, those of a long file would take minutes. */
function withAnswer(run: ImportRun, batch: ReadRow[], answer: Answer): ImportRun {
  const { refused } = answer;
  for (const [place, reason] of refused) {
    const row = batch[place];
    if (row) run.refused.set(row.line, reason);
  }
  const key = fingerprint(batch);
  run.batches.set(key, (run.batches.get(key) ?? 0) + 1);
  // What was in doubt was enrolled by this import, if it was enrolled.
  const isOwn = run.inDoubt > 0;
  const made = isOwn ? [...answer.made, ...answer.madeBefore] : answer.made;
  run.made.push(...made);
  return {
    ...run,
    answered: run.answered + batch.length,
    inDoubt: 0,
    enrolled: run.enrolled + made.filter(({ isNew }) => isNew).length,
    before: run.before + (isOwn ? 0 : answer.madeBefore.length),
  };
}

function end(realm: string, run: ImportRun, became?: string): void {
  set(realm, run);
  if (shown === realm) return;
  const { name } = run.file;
  const said = `${plural(run.enrolled, 'member')} added from ${name}`;
  const ended = run.phase === 'done' ? said : `The import has stopped: ${said}`;
  toast({
    text: became ? `The import of ${name} is ${became}` : ended,
    href: addresses.import(realm),
    isProblem: run.error !== null,
  });
}
