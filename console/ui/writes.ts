import type { Hold, RealmHandle } from '@realmkeep/client';
import { useRef } from 'preact/hooks';
import { newIdempotencyKey } from '../api/idempotency-key.ts';

export type Write = (change: unknown) => { idempotencyKey: string };

/**
 * One idempotency key for all attempts at the same change: if an answer is lost and the button is
 * pressed again, nothing happens twice. Another change gets another key.
 */
export function useIdempotencyKey(): Write {
  const last = useRef({ change: '', idempotencyKey: '' });
  return (change) => {
    const text = JSON.stringify(change);
    if (last.current.change !== text) {
      last.current = { change: text, idempotencyKey: newIdempotencyKey() };
    }
    return { idempotencyKey: last.current.idempotencyKey };
  };
}

/** Moves the points of a transaction back. */
export const undoTransaction = (realm: RealmHandle, transactionId: number): Promise<unknown> =>
  realm.transaction(transactionId).reverse({ idempotencyKey: `console-undo-${transactionId}` });

/** Releases what is left of a hold. */
export const undoHold = (realm: RealmHandle, holdId: number): Promise<Hold> =>
  realm.hold(holdId).release({ idempotencyKey: `console-undo-${holdId}` });
