import type { Attacker, Outgoing } from '../attacker.ts';

/** The maximum of the API. */
export const MAX_ENTRIES = 1_000;
/** The largest body of a batch. */
export const MAX_BODY = 512 * 1_024;
/** A connection that sends more requests ahead is closed. */
export const MAX_PIPELINED = 16;

export const BATCH = '/members/tokenBalance';

/** The entries of a batch as text, for members with the ids 1 to `members`. */
export function entriesOf(
  count: number,
  members: number,
  entry: (memberId: number) => object,
): string {
  const texts = Array.from({ length: count }, (_, index) =>
    JSON.stringify(entry(1 + (index % members))),
  );
  return texts.join(',');
}

/** A batch that differs from the last one only in its mark, so that its bytes are built once. */
export function batchWriter(attacker: Attacker, entries: string, records: number): () => Outgoing {
  const rest = Buffer.from(`","entries":[${entries}]}`);
  return () => {
    const mark = attacker.mark();
    return attacker.request('PATCH', attacker.path(BATCH), {
      body: [`{"description":"${mark}`, rest],
      write: { mark, records },
    });
  };
}
