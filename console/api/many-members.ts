import type { Kind, Member, RealmHandle } from '@realmkeep/client';
import type { Result, Target } from '../text/many.ts';
import { sentenceOf } from './faults.ts';
import { MAX_BATCH, MAX_PAGE } from './limits.ts';
import type { Ask } from './member-export.ts';

/** What one member gets, or gives if it is negative. */
interface Award extends Target {
  tokens: number;
}

type Sent = { kind: Kind; description: string };

/** Moves the points of up to as many members as a batch takes, each on its own. */
export const awarding = (api: RealmHandle, { kind, description }: Sent) => ({
  atOnce: MAX_BATCH,
  send: async (part: readonly Award[], idempotencyKey: string): Promise<Result[]> => {
    const entries = part.map(({ id, tokens }) => ({ memberId: id, tokens, realmPointId: kind.id }));
    const more = { atomic: false, idempotencyKey, ...(description && { description }) };
    const { results } = await api.batch(entries, more);
    return results.map(({ transactionId, problem }): Result => {
      if (problem) return { reason: sentenceOf(new Error(String(problem.message))) };
      const idempotencyKey = `console-undo-${transactionId}`;
      return { undo: () => api.transaction(transactionId ?? 0).reverse({ idempotencyKey }) };
    });
  },
});

/** More are not done at once: whoever has so many members has a program for them. */
export const MOST_AT_ONCE = 10_000;

/** All that a list goes on to, up to a bound. */
export async function gather(
  ask: Ask,
  signal: AbortSignal,
  onProgress: (found: number) => void,
): Promise<Member[]> {
  const found = new Map<string, Member>();
  let cursor: string | null = '';
  while (cursor !== null && found.size < MOST_AT_ONCE) {
    const page = await ask({ ...(cursor && { cursor }), limit: MAX_PAGE, signal });
    for (const member of page.items) found.set(member.id, member);
    cursor = page.nextCursor;
    onProgress(found.size);
  }
  return [...found.values()].slice(0, MOST_AT_ONCE);
}
