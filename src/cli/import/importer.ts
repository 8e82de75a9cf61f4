import { enrolmentOf } from '../../contract/operations/member-batch.ts';
import { operations } from '../../contract/operations.ts';
import { problems } from '../../contract/problems.ts';
import { entryCheck } from '../../contract/validation.ts';
import type { Enrolment, EnrolmentOutcome, Envelope, Outcome } from '../../domain/commands.ts';
import type { Address } from '../../domain/model.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { Executor } from '../../ledger/ledger.ts';
import { execute } from '../with-ledger.ts';
import { BATCH, batchesOf, claimsOf, type Keyed } from './batches.ts';
import type { Source, SourceRow } from './source.ts';

/** What happens to rows of members who are there already. */
export const PRESENT = ['skip', 'open', 'update', 'refuse'] as const;

export interface ImportOptions {
  /** The realm, and who the records are by. */
  by: Envelope;
  description: string | null;
  ifPresent: (typeof PRESENT)[number];
  /** Whether members who were removed are enrolled again. */
  again: boolean;
  isDryRun: boolean;
  parseAddress(text: string): Address | { fault: string };
  /** The reasons of refused rows are in the words of the file. */
  source: Pick<Source, 'used' | 'inWords'>;
  /** The id of the realm's default kind of points. */
  defaultKind: string;
  onRefused(row: SourceRow, reason: string): void;
  /** Called when more rows are done. */
  onSettled(): void;
}

interface Checked extends Keyed {
  row: SourceRow;
}

/** Rows of a window, so that it takes some 50 MB of memory. */
const MAX_WINDOW = 32 * BATCH;
/** One is written, one is waiting for that, and one may be on its way between threads. */
export const IN_FLIGHT = 3;

/**
 * Enrols the members of rows, in batches. A member's id makes a repetition harmless: whoever is or
 * was a member gets no opening balance unless told, however long ago the import was, and whatever
 * has changed in the file since; and nobody gets one in a kind of points that has moved.
 */
export class Importer {
  readonly counts = { rows: 0, enrolled: 0, present: 0, opened: 0, updated: 0, refused: 0 };
  readonly #ledger: Executor;
  readonly #options: ImportOptions;
  readonly #check = entryCheck(operations.createMembers);
  /**
   * The line of each id, because one file has each member once. As text, an id of CSV would be a
   * piece of the file's, all of which would stay in memory.
   */
  readonly #lines = new Map<bigint, number>();
  /**
   * Each batch of a dry run is undone. These are the members who would have got the wallets and
   * accounts of the batches before, as numbers for the same reason.
   */
  readonly #owners = new Map<string, bigint>();
  #window: Checked[] = [];
  /** The first window is small, for writing to begin at once. */
  #windowSize = BATCH;
  /** Settled when the window before is written. */
  #writing: Promise<void> = Promise.resolve();

  constructor(ledger: Executor, options: ImportOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** The rows that something has become of; the others are waiting. */
  get settled(): number {
    const { rows: _, ...settled } = this.counts;
    return Object.values(settled).reduce((sum, count) => sum + count);
  }

  async add(rows: readonly SourceRow[]): Promise<void> {
    for (const row of rows) {
      this.counts.rows += 1;
      const checked = this.#checked(row);
      if (typeof checked === 'string') this.#refuse(row, checked);
      else if (this.#window.push(checked) === this.#windowSize) await this.#flush();
    }
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  /** Has the window written, while the next one is filled. */
  async #flush(): Promise<void> {
    await this.#writing;
    this.#writing = this.#write(batchesOf(this.#window));
    // It is awaited after the next window is filled.
    this.#writing.catch(() => undefined);
    this.#window = [];
    this.#windowSize = Math.min(2 * this.#windowSize, MAX_WINDOW);
  }

  /** The command of a row, or why it is refused. */
  #checked(row: SourceRow): Checked | string {
    const { fault, body, line } = row;
    if (fault !== null) return `The row ${fault}.`;
    const faults = this.#check(body).map(({ pointer, detail }) => this.#named(pointer, detail));
    if (body.id === undefined) faults.unshift(this.#named('/id', 'is missing'));
    const enrolment = faults.length === 0 ? this.#enrolmentOf(body, faults) : null;
    if (!enrolment || faults.length > 0) return `${faults.join('; ')}.`;
    const memberId = String(enrolment.memberId);
    const id = BigInt(memberId);
    const earlier = this.#lines.get(id);
    if (earlier !== undefined) return `Member ${memberId} is in line ${earlier} already.`;
    this.#lines.set(id, line);
    return { row, enrolment: { ...enrolment, memberId } };
  }

  #enrolmentOf(body: SourceRow['body'], faults: string[]): Enrolment {
    // The check has made sure of its type.
    return enrolmentOf(body as Parameters<typeof enrolmentOf>[0], (text) => {
      const parsed = this.#options.parseAddress(text);
      if ('key' in parsed) return parsed;
      faults.push(this.#named('/wallets', `${text} ${parsed.fault}`));
      return { chain: 'eip155', key: text, address: text };
    });
  }

  /** A fault, with the name of its column. */
  #named(pointer: string, detail: string): string {
    const [, group = '', name] = pointer.split('/');
    const { source } = this.#options;
    const column = source.used.get(`${group}.${name}`) ?? source.used.get(group);
    return `${column ?? pointer.slice(1).replaceAll('/', '.')} ${source.inWords(detail)}`;
  }

  #enrol(members: Enrolment[]): Promise<EnrolmentOutcome[]> {
    const { by, description, ifPresent, again, isDryRun } = this.#options;
    return execute(this.#ledger, {
      ...by,
      type: 'member.batch',
      atomic: false,
      description,
      members,
      opensPresent: ifPresent === 'open',
      isImport: !again,
      isDryRun,
    });
  }

  async #write(batches: readonly Checked[][]): Promise<void> {
    const sent: Promise<void>[] = [];
    for (const batch of batches) {
      const outcomes = this.#enrol(batch.map(({ enrolment }) => enrolment));
      const before = sent.at(-1);
      const settled = outcomes.then(async (found) => {
        await before;
        await this.#settle(batch, found);
      });
      settled.catch(() => undefined);
      if (sent.push(settled) >= IN_FLIGHT) await sent.shift();
    }
    await Promise.all(sent);
  }

  async #settle(batch: Checked[], outcomes: EnrolmentOutcome[]): Promise<void> {
    const present: Checked[] = [];
    for (const [index, checked] of batch.entries()) {
      const outcome = outcomes[index];
      if (!outcome) throw new Error('a row has no outcome');
      if ('opened' in outcome && outcome.wasPresent) {
        this.counts.opened += 1;
        continue;
      }
      const refusal = 'refusal' in outcome ? outcome.refusal : this.#take(checked.enrolment);
      if (refusal === null) this.counts.enrolled += 1;
      else if (isPresent(refusal)) present.push(checked);
      else this.#refuse(checked.row, this.#reasonOf(refusal));
    }
    await this.#handlePresent(present);
    this.#options.onSettled();
  }

  /** What a dry run refuses because of an earlier batch. */
  #take(enrolment: Checked['enrolment']): Refusal | null {
    if (!this.#options.isDryRun) return null;
    const claims = claimsOf(enrolment);
    for (const { key, code, extra } of claims) {
      const owner = this.#owners.get(key);
      if (owner !== undefined) return { code, extra: { ...extra, memberId: String(owner) } };
    }
    for (const { key } of claims) this.#owners.set(key, BigInt(enrolment.memberId));
    return null;
  }

  async #handlePresent(present: readonly Checked[]): Promise<void> {
    const { ifPresent, isDryRun } = this.#options;
    if (ifPresent === 'refuse') {
      for (const { row, enrolment } of present) {
        this.#refuse(row, `Member ${enrolment.memberId} is enrolled already.`);
      }
    } else if (ifPresent === 'update' && !isDryRun) await this.#update(present);
    else this.counts[ifPresent === 'update' ? 'updated' : 'present'] += present.length;
  }

  /** All at once, so that they share commits. Balances are not changed. */
  async #update(present: readonly Checked[]): Promise<void> {
    const outcomes = await Promise.all(present.map(({ enrolment }) => this.#put(enrolment)));
    for (const [index, outcome] of outcomes.entries()) {
      const row = present[index]?.row;
      if ('refusal' in outcome && row) this.#refuse(row, this.#reasonOf(outcome.refusal));
      else if ('fault' in outcome) throw new Error(outcome.fault);
      else this.counts.updated += 1;
    }
  }

  async #put({ memberId, fields, wallets, status }: Checked['enrolment']): Promise<Outcome> {
    const { by } = this.#options;
    const put = { ...by, type: 'member.put' as const, memberId, fields, wallets };
    const outcome = await this.#ledger.execute(put);
    const isSame = status === undefined || !('answer' in outcome);
    if (isSame || outcome.answer.member.status === status) return outcome;
    return this.#ledger.execute({ ...by, type: 'member.update', memberId, fields: {}, status });
  }

  #reasonOf(refusal: Refusal): string {
    const { code, extra } = refusal;
    if (wasRemoved(refusal)) {
      return `Member ${extra.memberId} was removed; an import enrols nobody again without --again.`;
    }
    if (code !== 'insufficient-points') return problems[code].detail(extra);
    // The rule speaks of points that are spent, but a new member has spent none.
    const { requested, realmPointId = this.#options.defaultKind, minimumBalance = 0 } = extra;
    const floor = `${minimumBalance}, the lowest balance of the kind "${realmPointId}"`;
    return `The opening balance -${requested} is below ${floor}.`;
  }

  #refuse(row: SourceRow, reason: string): void {
    this.counts.refused += 1;
    this.#options.onRefused(row, reason);
  }
}

const wasRemoved = ({ extra }: Refusal): boolean => extra.status === 'removed';

const isPresent = (refusal: Refusal): boolean =>
  refusal.code === 'member-exists' && !wasRemoved(refusal);
