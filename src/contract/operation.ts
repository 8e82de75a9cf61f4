import type { Static, TSchema } from 'typebox';
import type { Scope } from '../domain/model.ts';
import type { ProblemCode } from './problems.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'QUERY';

/** An operation's request and answer; operations.ts adds method, path and scope. */
export interface CallShape {
  tag: string;
  summary: string;
  description: string;
  query?: TSchema;
  body?: TSchema;
  /** Of the body. */
  example?: unknown;
  bodyOptional?: boolean;
  /** `given`: what its example has other than the examples of its fields. */
  answer: { status: number; schema: TSchema | null; given: unknown };
  /** Whether it may also create what it is about: the same answer with 201 and `location`. */
  mayCreate?: boolean;
  /** Problems beyond those that follow from its method, path, scope and fields. */
  problems: readonly ProblemCode[];
  /** Headers that it reads. */
  headers?: TSchema;
  /** Whether it also answers `Accept: text/event-stream`, and how. */
  stream?: { headers: TSchema };
  /** Whether its body may be larger than others. */
  large?: boolean;
  /** Whether an archived realm allows it, although it is a write. */
  inArchived?: boolean;
  /** Whether a call may come without a key. */
  keyOptional?: boolean;
  /** Whether only people who have signed in may call it. */
  ofPeople?: boolean;
  /** Whether it changes nothing that is stored, whatever its method and scope. */
  onlyReads?: boolean;
  /** Whether it refuses fields that it does not have, whatever the caller prefers. */
  isStrict?: boolean;
}

export interface Operation extends CallShape {
  method: Method;
  path: string;
  scope: Scope | 'root';
}

/** Of an operation that may be large, whatever the setting says. */
const LARGE_BODY_LIMIT = 1024 * 1024;
/** Of a caller that has no key, no more is read: the signature of a contract wallet takes most. */
const ANONYMOUS_BODY_LIMIT = 20_480;

/** The largest body that it takes, where most take `usual`. */
export function bodyLimitOf({ large, keyOptional }: Operation, usual: number): number {
  if (keyOptional) return ANONYMOUS_BODY_LIMIT;
  return large ? Math.max(usual, LARGE_BODY_LIMIT) : usual;
}

/** Whether it may change what is stored. */
export const isWrite = ({ method, scope, onlyReads }: Operation): boolean =>
  method !== 'GET' && scope !== 'read' && !onlyReads;

/** GET and QUERY change nothing, and DELETE is idempotent by itself. */
export const takesIdempotencyKey = ({ method }: Operation): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH';

/** Defines operations under a heading of the API reference. */
export const defineFor =
  (tag: string) =>
  <S extends Omit<CallShape, 'tag' | 'problems'> & Partial<CallShape>>(shape: S) => ({
    tag,
    problems: [] as readonly ProblemCode[],
    ...shape,
  });

/** What an example has other than the examples of its fields. */
type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]?: Given<T[Name]> }
    : T;

const answerWith =
  (status: number) =>
  <T extends TSchema>(schema: T, given?: Given<Static<T>>) => ({ status, schema, given });

export const ok = answerWith(200);
export const created = answerWith(201);
export const accepted = answerWith(202);
export const NO_CONTENT = { status: 204, schema: null, given: null };
