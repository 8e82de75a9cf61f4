import { decodeRecord } from '../../domain/records.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';

/**
 * The key or person that a stream was opened with, and the keys that have replaced it. What becomes
 * of them is in the journal that the stream follows anyway, so it costs no look-ups. A rotation
 * does not end the stream, not even after the overlap: its holder has the new key.
 */
export class StreamKey {
  /** A key that replaces another expires with it. */
  readonly expiresAt: number | null;
  readonly #keyIds: Set<string>;

  constructor(keyIds: readonly string[], expiresAt: number | null) {
    this.#keyIds = new Set(keyIds);
    this.expiresAt = expiresAt;
  }

  /** Takes note of a record; returns whether it ends the stream. */
  isRevokedBy(record: JournalRecord): boolean {
    const removed = decodeRecord(record, ['person.removed']);
    if (removed) return this.#keyIds.has(removed.data.personId);
    const change = decodeRecord(record, ['key.revoked', 'key.rotated']);
    if (!change || !this.#keyIds.has(change.data.keyId)) return false;
    if (change.type === 'key.revoked') return true;
    this.#keyIds.add(change.data.newKeyId);
    return false;
  }
}
