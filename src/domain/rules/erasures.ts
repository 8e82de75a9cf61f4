import type { Erasure, ErasurePhase, ErasureProgress } from '../facts.ts';

/** The rows that one step looks at, and the members it erases: few enough not to delay writers. */
export const ROWS_PER_STEP = 1_000;

export const FIRST_PHASE: ErasureProgress = { phase: 'records', position: '' };

/** The members that are erased together, in one pass: the first, and those as far as it is. */
export class ErasurePass implements ErasureProgress {
  readonly phase: ErasurePhase;
  readonly position: string;
  /** The records of the erasures. */
  readonly seqs: number[] = [];
  readonly #seqOf = new Map<string, number>();

  /** From erasures in the order of the journal, and the first of these. */
  constructor({ phase, position }: Erasure, unfinished: readonly Erasure[]) {
    this.phase = phase;
    this.position = position;
    for (const each of unfinished) {
      if (each.phase !== phase || each.position !== position) continue;
      this.seqs.push(each.seq);
      this.#seqOf.set(each.erasedId, each.seq);
    }
  }

  /** The last record that may name one of the members. */
  get end(): number {
    return this.seqs.at(-1) ?? 0;
  }

  /** Whether it was erased after this record. Who has the id since then is another person. */
  erases(id: string | null, seq: number): boolean {
    const erasedAt = id === null ? undefined : this.#seqOf.get(id);
    return erasedAt !== undefined && seq <= erasedAt;
  }
}

/** A record that has a personal part, with whom it names. */
export interface PersonalRecord {
  seq: number;
  type: string;
  memberId: string | null;
  recipientId: string | null;
  personId: string | null;
  /** Of a capture. */
  holdId: number | null;
  reference: string | null;
}

/** The range of records that the next step looks through: those after `after`, up to `to`. */
export function recordRange(pass: ErasurePass): { after: number; to: number } {
  const after = Number(pass.position);
  return { after, to: Math.min(after + ROWS_PER_STEP, pass.end) };
}

/** The records whose personal parts are erased, with their references, and such holds. */
export function recordsToErase(pass: ErasurePass, records: readonly PersonalRecord[]) {
  const [seqs, holds, references] = [new Set<number>(), new Set<number>(), new Set<string>()];
  for (const { seq, type, holdId, reference, ...named } of records) {
    const { memberId, recipientId, personId } = named;
    if (![memberId, recipientId, personId].some((id) => pass.erases(id, seq))) continue;
    seqs.add(seq);
    if (reference !== null) references.add(reference);
    if (type === 'points.held') holds.add(seq);
    // The description of a capture is that of its hold, whose own record names no recipient.
    if (holdId !== null) {
      seqs.add(holdId);
      holds.add(holdId);
    }
  }
  const { to } = recordRange(pass);
  const last = to < pass.end ? String(to) : undefined;
  return { seqs, holds, references, next: progressAfter('records', last, 'answers') };
}

export interface StoredAnswer {
  key: string;
  /** The journal's last record when it was given. */
  seq: number;
  answer: string;
}

/** Where a phase goes on after a step; at the start of the next phase if it is over. */
export const progressAfter = (
  phase: ErasurePhase,
  last: string | undefined,
  next: ErasurePhase,
): ErasureProgress =>
  last === undefined ? { phase: next, position: '' } : { phase, position: last };

export const answersToErase = (pass: ErasurePass, answers: readonly StoredAnswer[]): string[] =>
  answers.filter((answer) => namesErased(pass, answer)).map(({ key }) => key);

/** An id of a member has only digits, one of a person begins with a letter. */
const MENTION = /"(?:id|memberId|recipientId)":"(\d+|p\w+)"/g;

/** Nearly all answers name none of the members; only the others are parsed. */
function namesErased(pass: ErasurePass, { seq, answer }: StoredAnswer): boolean {
  const isErased = (id: string) => pass.erases(id, seq);
  if (!answer.matchAll(MENTION).some(([, id = '']) => isErased(id))) return false;
  return names(JSON.parse(answer), isErased);
}

/** At any depth: an answer to a batch is a list. The id of an account is not that of a member. */
function names(value: unknown, isErased: (id: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([field, each]) => {
    if (field === 'accounts') return false;
    if (typeof each !== 'string') return names(each, isErased);
    return /^(id|memberId|recipientId)$/.test(field) && isErased(each);
  });
}

/** The nonces of challenges of the members. Those that can still be signed are not theirs. */
export const challengesToErase = (
  pass: ErasurePass,
  challenges: readonly { nonce: string; memberId: string; usedAt: number | null }[],
): string[] =>
  challenges
    .filter(({ memberId, usedAt }) => usedAt !== null && pass.erases(memberId, 0))
    .map(({ nonce }) => nonce);
