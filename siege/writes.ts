import { wholeData } from '../src/domain/records.ts';
import type { Ledger } from '../src/ledger/ledger.ts';

/** A write whose records in the journal have its mark as their description. */
export interface Write {
  mark: string;
  /** How many records it adds. */
  records: number;
  /** What the caller knows of it. */
  fate: 'done' | 'refused' | 'unknown';
}

const AT_ONCE = 500;

/**
 * Compares writes with the journal: what was acknowledged is there once, what was refused is not,
 * and what had no answer is there once or not at all.
 */
export async function faultsOf(
  writes: readonly Write[],
  ledger: Ledger,
  realmId: string,
): Promise<string[]> {
  if (writes.length === 0) return [];
  const found = await recordsByMark(ledger, realmId);
  return writes.flatMap(({ mark, records, fate }) => {
    const count = found.get(mark) ?? 0;
    const isRight = (count === records && fate !== 'refused') || (count === 0 && fate !== 'done');
    return isRight ? [] : [`${mark} was ${fate}, and has ${count} of ${records} records`];
  });
}

async function recordsByMark(ledger: Ledger, realmId: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let after = 0; ; ) {
    const { rows } = await ledger.query('records', { realmId, after, limit: AT_ONCE });
    for (const record of rows) {
      const { description } = JSON.parse(wholeData(record)) as { description?: string };
      if (description !== undefined) found.set(description, (found.get(description) ?? 0) + 1);
    }
    const last = rows.at(-1);
    if (!last) return found;
    after = last.seq;
  }
}
