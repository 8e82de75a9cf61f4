import type { CommandOf } from '../../src/domain/commands.ts';
import type { Decision } from '../../src/domain/rules/decide.ts';
import { CommitQueue } from '../../src/engine/commit-queue.ts';
import type { Batch, BatchWriter, Patience } from '../../src/engine/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { command } from './histories.ts';

export const inRealm = <C extends { realmId: string }>(realmId: string, one: C): C => ({
  ...one,
  realmId,
});

export const create = (realmId: string): CommandOf<'realm.create'> =>
  inRealm(realmId, command('realm.create', { name: realmId, settings: {} }));

export const enrol = (realmId: string, memberId: number): CommandOf<'member.create'> =>
  inRealm(
    realmId,
    command('member.create', { memberId: String(memberId), fields: {}, wallets: [] }),
  );

/** A command of 10,000 entries. */
export function largeBatch(realmId: string): CommandOf<'points.batch'> {
  const entry = { memberId: '1', tokens: 1, realmPointId: null, description: null };
  const entries = Array.from({ length: 10_000 }, () => entry);
  return inRealm(realmId, command('points.batch', { atomic: true, entries }));
}

/** A command that enrols members from id 2 on. */
export function manyMembers(realmId: string, count: number): CommandOf<'member.batch'> {
  const members = Array.from({ length: count }, (_, index) => ({
    memberId: String(index + 2),
    fields: {},
    wallets: [],
    balances: [],
  }));
  return inRealm(realmId, command('member.batch', { atomic: true, description: null, members }));
}

export const UNLIMITED = { realmsPerBatch: Number.POSITIVE_INFINITY, inFlight: 1 };

type Commit = (batch: Batch, patience: Patience, onSent: () => void) => Promise<Decision>;

/** A store, and the members that each of its batches enrolled in each realm. */
export function recording() {
  const store = openSqliteStore(':memory:');
  const batches: string[] = [];
  const commit = async (batch: Batch): Promise<Decision> => {
    const decision = await store.writers[0].write(batch, 'yield').done;
    const parts = decision.changes.map(({ realm, members }) =>
      [realm.id, ...members.map(({ key }) => key)].join(' '),
    );
    batches.push(parts.join(', '));
    return decision;
  };
  return { commit, batches, close: () => store.close() };
}

export function queueOf(commit: Commit, limits: BatchWriter['limits'] = UNLIMITED): CommitQueue {
  const writer: BatchWriter = {
    limits,
    write: (batch, patience) => {
      const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
      return { sent, done: commit(batch, patience, onSent).finally(onSent) };
    },
  };
  return new CommitQueue(writer, () => 0);
}

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

export const has = ({ needs }: Batch, realm: string): boolean =>
  needs.some(({ realmId }) => realmId === realm);
