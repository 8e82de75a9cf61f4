import { enrolmentOf } from '../../contract/new-member.ts';
import { operations } from '../../contract/operations.ts';
import { problems } from '../../contract/problems.ts';
import { entryCheck } from '../../contract/validation.ts';
import type { Enrolment, EnrolmentOutcome, Outcome } from '../../domain/commands.ts';
import type { Address } from '../../domain/model.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { accountKey } from '../../domain/rules/books.ts';
import type { Executor } from '../../ledger/ledger.ts';
import { asCli, execute } from '../with-ledger.ts';
import { Batches } from './batches.ts';
import type { SourceRow } from './source.ts';

/** What happens to rows of members who are there already. */
export const PRESENT = ['skip', 'update', 'refuse'] as const;
export type IfPresent = (typeof PRESENT)[number];

export interface ImportOptions {
  realmId: string;
  description: string | null;
  ifPresent: IfPresent;
  isDryRun: boolean;
  parseAddress(text: string): Address | { fault: string };
  /** The columns that fields are read from. */
  columns: ReadonlyMap<string, string>;
  /** The id of the realm's default kind of points. */
  defaultKind: string;
  /** What is wrong with a value, in the words of the file. */
  inWords(detail: string): string;
  onRefused(row: SourceRow, reason: string): Promise<void>;
  /** Called when more rows are done. */
  onSettled(): void;
}

interface Checked {
  row: SourceRow;
  enrolment: Enrolment & { memberId: string };
}

interface Sent {
  batch: Checked[];
  outcomes: Promise<EnrolmentOutcome[]>;
}

/** One is written, one is waiting for that, and one may be on its way between threads. */
const IN_FLIGHT = 3;

/**
 * Enrols the members of rows, in batches. A member's id makes a repetition harmless: whoever is or
 * was a member gets no opening balance, however long ago the import was, and whatever has changed
 * in the file since.
 */
export class Importer {
  readonly counts = { rows: 0, enrolled: 0, present: 0, updated: 0, refused: 0 };
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
  readonly #batches = new Batches<Checked>();
  readonly #sent: Sent[] = [];

  constructor(ledger: Executor, options: ImportOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** The rows that something has become of; the others are waiting. */
  get settled(): number {
    const { enrolled, present, updated, refused } = this.counts;
    return enrolled + present + updated + refused;
  }

  async add(rows: readonly SourceRow[]): Promise<void> {
    for (const row of rows) {
      this.counts.rows += 1;
      const checked = this.#checked(row);
      if (typeof checked === 'string') {
        await this.#refuse(row, checked);
        continue;
      }
      for (const batch of this.#batches.add(checked)) await this.#send(batch);
    }
  }

  async finish(): Promise<void> {
    for (const batch of this.#batches.rest()) await this.#send(batch);
    while (this.#sent.length > 0) await this.#settle();
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
    const { columns, inWords } = this.#options;
    const column = columns.get(`${group}.${name}`) ?? columns.get(group);
    return `${column ?? pointer.slice(1).replaceAll('/', '.')} ${inWords(detail)}`;
  }

  #enrol(members: Enrolment[]): Promise<EnrolmentOutcome[]> {
    const { realmId, description, isDryRun } = this.#options;
    return execute(this.#ledger, {
      ...asCli(realmId),
      type: 'member.batch',
      atomic: false,
      description,
      members,
      isImport: true,
      isDryRun,
    });
  }

  async #send(batch: Checked[]): Promise<void> {
    const outcomes = this.#enrol(batch.map(({ enrolment }) => enrolment));
    // It is awaited after the next one has been sent.
    outcomes.catch(() => undefined);
    this.#sent.push({ batch, outcomes });
    if (this.#sent.length === IN_FLIGHT) await this.#settle();
  }

  async #settle(): Promise<void> {
    const sent = this.#sent.shift();
    if (!sent) return;
    const outcomes = await sent.outcomes;
    const present: Checked[] = [];
    for (const [index, checked] of sent.batch.entries()) {
      const outcome = outcomes[index];
      if (!outcome) throw new Error('a row has no outcome');
      const refusal = 'refusal' in outcome ? outcome.refusal : this.#take(checked.enrolment);
      if (refusal === null) this.counts.enrolled += 1;
      else if (isPresent(refusal)) present.push(checked);
      else await this.#refuse(checked.row, this.#reasonOf(refusal));
    }
    await this.#handlePresent(present);
    this.#options.onSettled();
  }

  /** What a dry run refuses because of an earlier batch: wallets first, as the rules do. */
  #take({ memberId, wallets, fields }: Checked['enrolment']): Refusal | null {
    if (!this.#options.isDryRun) return null;
    const accounts = (fields.accounts ?? []).map(accountKey);
    for (const { key, address } of wallets) {
      const owner = this.#owners.get(`wallet ${key}`);
      const extra = { wallet: address, memberId: String(owner) };
      if (owner !== undefined) return { code: 'wallet-taken', extra };
    }
    for (const account of accounts) {
      const owner = this.#owners.get(`account ${account}`);
      const extra = { account, memberId: String(owner) };
      if (owner !== undefined) return { code: 'account-taken', extra };
    }
    for (const { key } of wallets) this.#owners.set(`wallet ${key}`, BigInt(memberId));
    for (const account of accounts) this.#owners.set(`account ${account}`, BigInt(memberId));
    return null;
  }

  async #handlePresent(present: readonly Checked[]): Promise<void> {
    const { ifPresent, isDryRun } = this.#options;
    if (ifPresent === 'skip') this.counts.present += present.length;
    if (ifPresent === 'refuse') {
      for (const { row, enrolment } of present) {
        await this.#refuse(row, `Member ${enrolment.memberId} is enrolled already.`);
      }
    }
    if (ifPresent !== 'update') return;
    if (isDryRun) this.counts.updated += present.length;
    else await this.#update(present);
  }

  /** All at once, so that they share commits. Balances are not changed. */
  async #update(present: readonly Checked[]): Promise<void> {
    const outcomes = await Promise.all(present.map(({ enrolment }) => this.#put(enrolment)));
    for (const [index, outcome] of outcomes.entries()) {
      const row = present[index]?.row;
      if ('refusal' in outcome && row) await this.#refuse(row, this.#reasonOf(outcome.refusal));
      else if ('fault' in outcome) throw new Error(outcome.fault);
      else this.counts.updated += 1;
    }
  }

  async #put({ memberId, fields, wallets, status }: Checked['enrolment']): Promise<Outcome> {
    const envelope = asCli(this.#options.realmId);
    const put = { ...envelope, type: 'member.put' as const, memberId, fields, wallets };
    const outcome = await this.#ledger.execute(put);
    const isSame = status === undefined || !('answer' in outcome);
    if (isSame || outcome.answer.member.status === status) return outcome;
    return this.#ledger.execute({
      ...envelope,
      type: 'member.update',
      memberId,
      fields: {},
      status,
    });
  }

  #reasonOf(refusal: Refusal): string {
    const { code, extra } = refusal;
    if (wasRemoved(refusal)) {
      const reason = `Member ${extra.memberId} was removed; an import enrols nobody again.`;
      return `${reason} Use POST …/members.`;
    }
    if (code !== 'insufficient-points') return problems[code].detail(extra);
    // The rule speaks of points that are spent, but a new member has spent none.
    const { requested, realmPointId = this.#options.defaultKind, minimumBalance = 0 } = extra;
    const floor = `${minimumBalance}, the lowest balance of the kind "${realmPointId}"`;
    return `The opening balance -${requested} is below ${floor}.`;
  }

  async #refuse(row: SourceRow, reason: string): Promise<void> {
    this.counts.refused += 1;
    await this.#options.onRefused(row, reason);
  }
}

const wasRemoved = ({ extra }: Refusal): boolean => extra.status === 'removed';

const isPresent = (refusal: Refusal): boolean =>
  refusal.code === 'member-exists' && !wasRemoved(refusal);
