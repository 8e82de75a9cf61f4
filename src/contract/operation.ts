import type { TSchema } from 'typebox';
import type { Scope } from '../domain/model.ts';
import type { ProblemCode } from './problems.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'QUERY';

/** What a call says and what it answers; the table in operations.ts adds where and for whom. */
export interface CallShape {
  tag: string;
  summary: string;
  description: string;
  query?: TSchema;
  body?: { schema: TSchema; example: unknown; optional?: boolean };
  answer: { status: number; schema: TSchema | null; example: unknown };
  /** Problems of this call beyond those that every call can have. */
  problems: readonly ProblemCode[];
  /** Whether the body may have the larger size that lists need. */
  large?: boolean;
}

export interface Operation extends CallShape {
  method: Method;
  path: string;
  scope: Scope | 'root';
}

/** The others change nothing, or nothing more when they are sent again. */
export const takesIdempotencyKey = ({ method }: Operation): boolean =>
  method === 'POST' || method === 'PATCH';

export const define = <S extends CallShape>(shape: S): S => shape;
