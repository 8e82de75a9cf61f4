import { hash } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { canonicalJson } from '../contract/canonical-json.ts';
import type { Json } from '../contract/json.ts';
import type { OperationId, Operations } from '../contract/operations.ts';
import { ProblemError, problems } from '../contract/problems.ts';
import type {
  AnswerTo,
  CommandName,
  CommandOf,
  Envelope,
  Outcome,
  Verdict,
} from '../domain/commands.ts';
import type { Address, Asset, Chain, Holding } from '../domain/model.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Ledger } from '../engine/ledger.ts';
import type { KeyRing, Principal } from './key-ring.ts';

export { iso, isoOrNull } from './instants.ts';

/** What handlers need from the rest of the service. */
export interface Services {
  ledger: Ledger;
  keyRing: KeyRing;
  addresses: Addresses;
  proofs: Proofs;
  /** Where people reach the service, for texts that they sign. */
  publicUrl: string;
  holdings: Holdings;
  /** What was read from chains so far, for metrics. */
  chainCounts: () => { entries: number; chains: ChainCount[] };
  /** Whether the database can be reached, for metrics. */
  isDatabaseUp: () => boolean;
  /** Opens the metrics beside the root key; null where there is none. */
  metricsToken: string | null;
  /** Whether the service is about to end, and callers should not count on their connection. */
  isStopping: () => boolean;
}

export interface Addresses {
  /** Strictly, for linking: a fault is a sentence for the caller. */
  parse(text: string, chain?: Chain): Address | { fault: string };
  /** The key a wallet would have, for looking up. */
  keyOf(text: string): string;
}

/** An address whose faults were told already, by the check of the body. */
export function checkedAddress({ parse }: Addresses, text: string, chain?: Chain): Address {
  const parsed = parse(text, chain);
  if ('key' in parsed) return parsed;
  throw new Error('an address came past its check');
}

/** What a wallet can prove. Faults are ends of sentences that begin with the name of a field. */
export interface Proofs {
  walletFault(wallet: Address): string | null;
  signatureFault(wallet: Address, signature: string): string | null;
  verify(text: {
    wallet: Address;
    network: string;
    message: string;
    signature: string;
  }): Promise<Verdict>;
}

export interface Holdings {
  /** What the EVM wallets hold together of each asset, in order. Never fails, never takes long. */
  of(assets: readonly Asset[], wallets: readonly string[]): Promise<Holding[]>;
}

export interface ChainCount {
  chain: string;
  reads: number;
  failures: Record<string, number | undefined>;
  behind: number;
  unanswered: number;
  failing: boolean;
  highestBlock: number | null;
}

export interface Params {
  realmID: string;
  memberID: string;
  keyID: string;
  realmPointId: string;
  assetId: string;
  transactionID: string;
  holdID: string;
  address: string;
}

type BodyOf<Id extends OperationId> = Operations[Id] extends { body: { schema: infer B } }
  ? B extends TSchema
    ? Static<B>
    : undefined
  : undefined;
type QueryOf<Id extends OperationId> = Operations[Id] extends { query: infer Q }
  ? Q extends TSchema
    ? Static<Q>
    : unknown
  : unknown;
export type AnswerBodyOf<Id extends OperationId> =
  Operations[Id]['answer']['schema'] extends TSchema
    ? Static<Operations[Id]['answer']['schema']>
    : null;

/** One checked request of an operation. */
export interface Call<Id extends OperationId> {
  operationId: Id;
  params: Params;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  principal: Principal;
  idempotencyKey: string | undefined;
}

export interface Answered<B> {
  body: B;
  replayed?: boolean;
}

export type Handler<Id extends OperationId> = (
  call: Call<Id>,
  services: Services,
) => Promise<Answered<AnswerBodyOf<Id>>>;

/** What a command carries besides its own words, from the call that asks for it. */
export function envelope(call: Call<OperationId>, realmId = call.params.realmID): Envelope {
  const { idempotencyKey: key, principal } = call;
  const idempotency = key === undefined ? null : { key, fingerprint: fingerprintOf(call) };
  return { realmId, actor: principal.actor, idempotency };
}

/**
 * The same for two requests that ask the same, whatever their white space and order of keys. Only
 * what the caller sent is in it: an id or a secret made here would refuse honest retries. 128 bits:
 * nobody gains by colliding with itself. It is kept for 30 days or more, so it must not change.
 */
export function fingerprintOf(
  call: Pick<Call<OperationId>, 'operationId' | 'params' | 'body'>,
): string {
  const path = Object.values(call.params).join('/');
  const text = `${call.operationId} ${path} ${canonicalJson((call.body ?? null) as Json)}`;
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Carries out a command, or throws the problem that its refusal is. */
export async function carryOut<N extends CommandName>(
  ledger: Ledger,
  command: CommandOf<N>,
): Promise<{ answer: AnswerTo<N>; replayed: boolean }> {
  const outcome: Outcome<AnswerTo<N>> = await ledger.execute(command);
  if ('answer' in outcome) return outcome;
  if ('refusal' in outcome) throw problemOf(outcome.refusal);
  throw new Error(outcome.fault);
}

export function problemOf({ code, extra, pointer }: Refusal): ProblemError {
  if (pointer === undefined) return new ProblemError(code, extra);
  const errors = [{ pointer, detail: problems[code].detail(extra) }];
  return new ProblemError(code, { ...extra, errors });
}

/** Throws where the realm itself is missing, which can only be under the root key. */
export async function requireRealm(call: Call<OperationId>, { ledger }: Services): Promise<void> {
  const realmId = call.params.realmID;
  if (call.principal.realmId !== null || (await ledger.query('realm', { realmId }))) return;
  throw new ProblemError('realm-not-found', { realmId });
}
