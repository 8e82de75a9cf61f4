import { RealmkeepError } from './problem.ts';
import { bodyOf, hexOf, idempotencyKeyOf, isIdempotencyKey } from './request.ts';

/** What the service takes in one call. Of its 512 KiB, the rest is for what else the call has. */
const MOST_ENTRIES = 1_000;
const MOST_BYTES = 500_000;

const encoder = new TextEncoder();

/**
 * Sends a list in as many calls as it takes, one after another. The first has the key of the list,
 * the others have keys derived from it. So the same list with the same key goes on where it
 * stopped, and one that was shorter than a part, and has grown since, is refused.
 */
export async function inParts<Entry, Answer extends { results: unknown[] }>(
  entries: readonly Entry[],
  given: string | undefined,
  send: (part: readonly Entry[], idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const key = idempotencyKeyOf(given);
  const [first = [], ...others] = partsOf(entries);
  const answer = await send(first, key).catch(failAfter(0, key));
  for (const [index, part] of others.entries()) {
    const done = answer.results.length;
    const next = send(part, await keyOfPart(key, index + 2));
    answer.results.push(...(await next.catch(failAfter(done, key))).results);
  }
  return answer;
}

function partsOf<Entry>(entries: readonly Entry[]): Entry[][] {
  let part: Entry[] = [];
  const parts = [part];
  let bytes = 0;
  for (const entry of entries) {
    const more = encoder.encode(bodyOf({ entry })).length;
    bytes += more;
    if (part.length === MOST_ENTRIES || (bytes > MOST_BYTES && part.length > 0)) {
      part = [];
      parts.push(part);
      bytes = more;
    }
    part.push(entry);
  }
  return parts;
}

/** A key that would be too long is the hash of itself. */
async function keyOfPart(key: string, number: number): Promise<string> {
  const derived = `${key}:${number}`;
  if (isIdempotencyKey(derived)) return derived;
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(derived))));
}

/** Tells the failure of a part as that of the list: places are those in the list. */
const failAfter =
  (done: number, idempotencyKey: string) =>
  (error: unknown): never => {
    if (!(error instanceof RealmkeepError)) throw error;
    const inList = (text: string, place: RegExp): string =>
      text.replace(place, (_, before, index) => `${before}${Number(index) + done}`);
    const message = inList(error.message, /^(\w+\[)(\d+)/);
    const errors = error.errors?.map(({ pointer, detail }) => ({
      pointer: inList(pointer, /^(\/\w+\/)(\d+)/),
      detail,
    }));
    throw Object.assign(error, { done, idempotencyKey, message, ...(errors && { errors }) });
  };
