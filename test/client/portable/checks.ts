import { isProblem, type Problem } from '@realmkeep/client';

/** What a case gets: a service, a bad way to it, and two bad servers. */
export interface Given {
  url: string;
  rootKey: string;
  /** A proxy that cuts connections at random. */
  cutUrl: string;
  /** A server that never answers. */
  silentUrl: string;
  /** A server whose first answer about a member ends after as many bytes as its id says. */
  shortUrl: string;
}

/** A test that runs in Node, Bun, Deno and browsers alike, so with web standards alone. */
export type Cases = Record<string, (given: Given) => Promise<void>>;

export function equal(actual: unknown, expected: unknown): void {
  const [seen, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (seen !== wanted) throw new Error(`${seen} instead of ${wanted}`);
}

/** The problem that a call must end with. */
export async function problemOf(call: Promise<unknown>): Promise<Problem> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (isProblem(error)) return error;
  throw new Error(`${error ?? 'success'} instead of a problem`);
}

export async function fails(call: Promise<unknown>, code: Problem['code']): Promise<void> {
  equal((await problemOf(call)).code, code);
}

let last = 0;

/** A realm id that no other case has. */
export const newRealmId = (): string => {
  last += 1;
  return `r${Date.now().toString(36)}-${last}`;
};

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
