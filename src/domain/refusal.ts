/** Why a rule refused a command. `contract/problems.ts` has its status and sentence. */
export type RefusalCode =
  | 'realm-not-found'
  | 'realm-exists'
  | 'realm-being-deleted'
  | 'realm-archived'
  | 'key-not-found'
  | 'key-expired'
  | 'key-replaced'
  | 'person-not-found'
  | 'member-not-found'
  | 'recipient-not-found'
  | 'realm-point-not-found'
  | 'member-exists'
  | 'account-taken'
  | 'wallet-taken'
  | 'self-transfer'
  | 'transfers-disabled'
  | 'not-transferable'
  | 'too-many-tokens'
  | 'member-frozen'
  | 'insufficient-points'
  | 'balance-limit'
  | 'balance-not-zero'
  | 'member-ids-exhausted'
  | 'limit-reached'
  | 'idempotency-key-reused'
  | 'answer-erased'
  | 'realm-point-exists'
  | 'realm-point-archived'
  | 'default-required'
  | 'default-archived'
  | 'bounds-crossed'
  | 'transaction-not-found'
  | 'not-reversible'
  | 'reversal-exceeded'
  | 'hold-not-found'
  | 'hold-closed'
  | 'hold-exceeded'
  | 'offer-exists'
  | 'offer-not-found'
  | 'offer-incomplete'
  | 'offer-closed'
  | 'offer-sold-out'
  | 'offer-limit-reached'
  | 'offer-requirement'
  | 'price-changed'
  | 'offer-open'
  | 'offer-drawn'
  | 'draw-outdated'
  | 'claim-not-found'
  | 'claim-closed'
  | 'wallet-not-found'
  | 'challenge-not-found'
  | 'challenge-mismatch'
  | 'challenge-used'
  | 'challenge-expired'
  | 'signature-invalid'
  | 'chain-unavailable'
  | 'asset-exists'
  | 'asset-not-found'
  | 'webhook-not-found'
  | 'webhook-target-refused'
  | 'replay-beyond-end';

type Details = Record<string, unknown>;

export interface Refusal {
  code: RefusalCode;
  extra: Details;
  /** The part of the request that was refused, if not all of it. */
  pointer?: string;
}

/** Thrown by rules. `decide` catches it and undoes what the command did so far. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(code: RefusalCode, extra: Details = {}, pointer?: string) {
    super(code);
    this.refusal = pointer === undefined ? { code, extra } : { code, extra, pointer };
  }
}

export function refuseBeyond(limit: number, count: number, of: string): void {
  if (count >= limit) throw new Refused('limit-reached', { limit, of });
}

/** The row that a command is about, or the refusal that there is none. */
export function present<Row>(row: Row | undefined, code: RefusalCode, extra: Details): Row {
  if (row === undefined) throw new Refused(code, extra);
  return row;
}
