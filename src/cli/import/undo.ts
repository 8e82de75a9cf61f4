import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../../config/operator-error.ts';
import { ImportTrace, type Undoing } from '../../csv/import-trace.ts';
import type { Command, Envelope } from '../../domain/commands.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Result } from '../command.ts';
import { counted, Progress } from '../terminal.ts';
import { recordPages } from '../with-ledger.ts';

/**
 * The import of a file, as the actor of its records. Whatever is imported from the same file, in
 * one go or in several, is one import.
 */
export async function importOf(file: string, realmId: string): Promise<Envelope> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actor = `cli/import:${hash.digest('hex').slice(0, 16)}`;
  return { realmId, actor, idempotency: null };
}

/** Members at a time, so that they share commits. */
const AT_ONCE = 500;
const SHOWN = 3;

/** Undoes an import as a whole, or nothing of it. */
export async function undoImport(
  ledger: Ledger,
  { file, by, isDryRun }: { file: string; by: Envelope; isDryRun: boolean },
): Promise<Result> {
  const trace = await traceOf(ledger, by);
  const undoings = trace.undoings();
  refuseUndo(file, by.realmId, undoings, trace);
  const counts = { removed: 0, reversed: 0, left: 0 };
  using progress = new Progress();
  for (let start = 0; start < undoings.length; start += AT_ONCE) {
    progress.show(`Undoing ${file}: ${start} of ${counted(undoings.length, 'member')}`);
    const some = undoings.slice(start, start + AT_ONCE);
    const done = await Promise.all(some.map((one) => isDryRun || undo(ledger, by, one)));
    for (const [index, { reverse, remove }] of some.entries()) {
      if (!done[index]) counts.left += 1;
      else counts.reversed += reverse.length;
      if (done[index] && remove) counts.removed += 1;
    }
  }
  return resultOf({ file, realmId: by.realmId, isDryRun, ...counts });
}

async function traceOf(ledger: Ledger, { realmId, actor }: Envelope): Promise<ImportTrace> {
  const trace = new ImportTrace();
  using progress = new Progress();
  for await (const page of recordPages(ledger, realmId)) {
    for (const { seq, type, data, actor: own } of page) {
      trace.add({ seq, type, data: JSON.parse(data) }, own === actor);
    }
    progress.show(`Reading the journal of ${realmId}: record ${page.at(-1)?.seq}`);
  }
  return trace;
}

function refuseUndo(file: string, realmId: string, undoings: Undoing[], trace: ImportTrace): void {
  if (undoings.length === 0) {
    throw new OperatorError(
      'nothing-to-undo',
      `Nothing of ${file} is left to undo in realm ${realmId}. An import is known by its file: ` +
        'use the same one, unchanged.',
    );
  }
  const spent = undoings.filter((one) => trace.isSpent(one)).map(({ memberId }) => memberId);
  if (spent.length === 0) return;
  const ids = spent.slice(0, SHOWN).join(', ');
  const more = spent.length > SHOWN ? ` and ${spent.length - SHOWN} more` : '';
  throw new OperatorError(
    'import-spent',
    "Nothing was undone. Since the import, these members' points have moved or been held, or " +
      `they were frozen: ${ids}${more}.`,
  );
}

/** False if something has happened to the member meanwhile. */
async function undo(ledger: Ledger, by: Envelope, one: Undoing): Promise<boolean> {
  const { memberId, unfreeze, reverse, remove } = one;
  const commands: Command[] = [];
  if (unfreeze) {
    commands.push({ ...by, type: 'member.update', memberId, fields: {}, status: 'active' });
  }
  const whole = { tokens: null, description: null, force: false };
  for (const transactionId of reverse) {
    commands.push({ ...by, type: 'points.reverse', transactionId, ...whole });
  }
  if (remove) commands.push({ ...by, type: 'member.remove', memberId, forfeit: false });
  for (const command of commands) {
    const outcome = await ledger.execute(command);
    if ('fault' in outcome) throw new Error(outcome.fault);
    if ('refusal' in outcome) return false;
  }
  return true;
}

interface Undone {
  file: string;
  realmId: string;
  isDryRun: boolean;
  removed: number;
  reversed: number;
  left: number;
}

function resultOf({ isDryRun, ...done }: Undone): Result {
  const { file, realmId, removed, reversed, left } = done;
  const did = isDryRun ? ['Would undo', 'remove', 'reverse'] : ['Undid', 'removed', 'reversed'];
  const members = `${did[1]} ${counted(removed, 'member')}`;
  const openings = `${did[2]} ${counted(reversed, 'opening balance')}`;
  const lines = [
    isDryRun ? 'A dry run: nothing was changed.' : null,
    `${did[0]} the import of ${file} into realm ${realmId}: ${members}, ${openings}.`,
    left > 0 ? `Left ${counted(left, 'member')}, to whom something happened meanwhile.` : null,
    removed > 0 ? 'They count as removed: import a corrected file with --again.' : null,
  ];
  return {
    text: lines.filter((line) => line !== null).join('\n'),
    json: { ok: left === 0, dryRun: isDryRun, ...done },
  };
}
