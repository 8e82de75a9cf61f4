/**
 * Why a command was refused. The domain says it in these words; `contract/problems.ts` turns each
 * into a status and a sentence, once.
 */
export type RefusalCode =
  | 'realm-not-found'
  | 'realm-exists'
  | 'key-not-found'
  | 'key-expired'
  | 'key-replaced'
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
  | 'realm-point-exists'
  | 'default-required'
  | 'bounds-crossed'
  | 'transaction-not-found'
  | 'not-reversible'
  | 'reversal-exceeded'
  | 'hold-not-found'
  | 'hold-closed'
  | 'hold-exceeded'
  | 'wallet-not-found'
  | 'challenge-not-found'
  | 'challenge-mismatch'
  | 'challenge-used'
  | 'challenge-expired'
  | 'signature-invalid'
  | 'chain-unavailable'
  | 'asset-exists'
  | 'asset-not-found';

export interface Refusal {
  code: RefusalCode;
  /** What the caller may know about it, such as `memberId` and `balance`. */
  extra: Record<string, unknown>;
  /** The place in the request that it is about, when that is not the whole. */
  pointer?: string;
}

/** Thrown by rules, caught by `decide`, which then takes back all that the command did. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(code: RefusalCode, extra: Record<string, unknown> = {}, pointer?: string) {
    super(code);
    this.refusal = pointer === undefined ? { code, extra } : { code, extra, pointer };
  }
}
