import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Json } from '../contract/bodies.ts';
import type { Extra } from '../contract/messages.ts';
import type { OperationId, Operations } from '../contract/operations.ts';
import { type ProblemCode, ProblemError, problemBody, problems } from '../contract/problems.ts';
import { ON_BEHALF_OF_HEADER } from '../contract/remarks.ts';
import type { AnswerTo, CommandName, Commands, Envelope, Outcome } from '../domain/commands.ts';
import type { Realm } from '../domain/model.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { Principal } from './key-ring.ts';
import type { Services } from './services.ts';

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** The parameters that the operation's own path has. */
type ParamsOf<Id extends OperationId> = Record<ParameterNames<Operations[Id]['path']>, string>;

type BodyOf<Id extends OperationId> = Operations[Id] extends {
  body: infer Schema extends TSchema;
}
  ? Static<Schema>
  : undefined;

type QueryOf<Id extends OperationId> = Operations[Id] extends {
  query: infer Schema extends TSchema;
}
  ? Static<Schema>
  : unknown;

type AnswerBodyOf<Id extends OperationId> =
  Operations[Id]['answer']['schema'] extends infer Schema extends TSchema ? Static<Schema> : null;

/** One request that has passed the operation's checks. */
export interface Call<Id extends OperationId> extends AnyCall {
  operationId: Id;
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
}

export interface AnyCall {
  operationId: OperationId;
  params: object;
  headers: IncomingHttpHeaders;
  body: unknown;
  principal: Principal;
  /** The request itself, for what only HTTP has: cookies. */
  raw: IncomingMessage;
  caller: Caller;
  services: Services;
  idempotencyKey: string | undefined;
  /** The traceparent for what is done to answer it; undefined if it is not traced. */
  trace: string | undefined;
}

type RealmCall = AnyCall & { params: { realmID: string } };

export interface Answer<B> {
  body: B;
  replayed?: boolean;
  /** Where to follow what was only accepted, or to find what was created. */
  location?: string;
  /** A cookie to set or to delete. */
  cookie?: string;
  /** Whether an operation that may create something did: the status is then 201. */
  isNew?: boolean;
}

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Answer<AnswerBodyOf<Id>>>;

/**
 * Answers a query about the realm of the path, unless its caller has disconnected when its turn
 * comes. The root key alone can name a realm that does not exist, or read what is not yet removed
 * of a deleted one, so for it the realm is looked up first.
 */
export function query<N extends QueryName>(
  call: RealmCall,
  name: N,
  params: Omit<QueryParams<N>, 'realmId'>,
): Promise<QueryResult<N>> {
  const { caller, services, principal } = call;
  const inRealm = { realmId: call.params.realmID, ...params } as unknown as QueryParams<N>;
  if (principal.realmId !== null) return services.ledger.query(name, inRealm, caller);
  return realmOf(call).then(() => services.ledger.query(name, inRealm, caller));
}

/** Executes a command in the realm of the path; a refusal is thrown as its problem. */
export const execute = <N extends CommandName, B>(
  call: RealmCall,
  type: N,
  params: Commands[N][0],
  toBody: (answer: AnswerTo<N>) => B,
): Promise<Answer<B>> => executeIn(call.params.realmID, call, type, params, toBody);

export async function executeIn<N extends CommandName, B>(
  realmId: string,
  call: AnyCall,
  type: N,
  params: Commands[N][0],
  toBody: (answer: AnswerTo<N>) => B,
): Promise<Answer<B>> {
  const { idempotencyKey: key, trace } = call;
  const idempotency = key === undefined ? null : { key, fingerprint: fingerprintOf(call) };
  const { actor } = call.principal;
  const onBehalfOf = call.headers[ON_BEHALF_OF_HEADER] as string | undefined;
  const envelope: Envelope & { type: N } = {
    type,
    realmId,
    actor,
    onBehalfOf,
    idempotency,
    trace,
  };
  const outcome: Outcome<AnswerTo<N>> = await call.services.ledger.execute({
    ...envelope,
    ...params,
  });
  if ('answer' in outcome) return { body: toBody(outcome.answer), replayed: outcome.replayed };
  if ('refusal' in outcome) throw problemOf(outcome.refusal);
  throw new Error(outcome.fault);
}

/** For commands whose answer is the body as it stands. */
export const asIs = <T>(answer: T): T => answer;

/** Those of the named fields that were sent; unknown fields are ignored, not stored. */
export const pick = <T extends object, K extends keyof T>(sent: T, ...names: K[]): Pick<T, K> =>
  Object.fromEntries(
    names.filter((name) => sent[name] !== undefined).map((name) => [name, sent[name]]),
  ) as Pick<T, K>;

/** The kind of points that a request names; null, absent and empty mean the default kind. */
export const kindIn = ({ realmPointId }: { realmPointId?: string | null }): string | null =>
  realmPointId || null;

/** 128 bits in base64url. */
const FINGERPRINT_LENGTH = 22;

/**
 * Identifies what the caller asked for, regardless of white space and key order. It covers only
 * what the caller sent: an id or a secret generated here would make an honest retry look like a
 * different request. 128 bits suffice, since a caller can only collide with itself. Fingerprints
 * are stored for 30 days or more, so the algorithm must not change.
 */
export function fingerprintOf({ operationId, params, body }: Fingerprinted): string {
  let target = '';
  // Half the time of Object.values() and join().
  for (const name in params) {
    target += `${target && '/'}${(params as Record<string, string>)[name]}`;
  }
  const text = `${operationId} ${target} ${canonicalJson((body ?? null) as Json)}`;
  return hash('sha256', text, 'base64url').slice(0, FINGERPRINT_LENGTH);
}

type Fingerprinted = Pick<AnyCall, 'operationId' | 'params' | 'body'>;

/**
 * The same text for the same value, regardless of key order, white space and number format. A
 * number and a bigint have the same text if and only if they are mathematically equal.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  // Outside the safe range String() rounds, and the result could equal a different bigint's.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return String(BigInt(value as number));
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  for (const key of Object.keys(value).sort()) {
    members += `${members && ','}${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`;
  }
  return `{${members}}`;
}

const problemOf = (refusal: Refusal): ProblemError =>
  new ProblemError(refusal.code, extraOf(refusal));

function extraOf({ code, extra, pointer }: Refusal): Extra {
  if (pointer === undefined) return extra;
  return { ...extra, errors: [{ pointer, detail: problems[code].detail(extra) }] };
}

/** The results of a batch, with a problem in place of each refusal. */
export const resultsOf = <Done extends object, Id extends string | null>(
  outcomes: readonly (Done | { memberId: Id; refusal: Refusal })[],
) => outcomes.map((outcome) => ('refusal' in outcome ? refusedEntry(outcome) : outcome));

function refusedEntry<Id>({ memberId, refusal }: { memberId: Id; refusal: Refusal }) {
  // The answer as a whole has the request id; in an entry it would make replays differ.
  const { requestId: _, ...problem } = problemBody(refusal.code, extraOf(refusal), '');
  return { memberId, problem };
}

export async function realmOf({
  params: { realmID: realmId },
  caller,
  services,
}: Pick<RealmCall, 'params' | 'caller' | 'services'>): Promise<Realm> {
  const realm = await services.ledger.query('realm', { realmId }, caller);
  return realm ?? notFound('realm-not-found', { realmId });
}

/** For `found ?? notFound(…)`. */
export function notFound(code: ProblemCode, extra: Record<string, unknown>): never {
  throw new ProblemError(code, extra);
}
