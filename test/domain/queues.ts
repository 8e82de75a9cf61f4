import type { CommandOf } from '../../src/domain/commands.ts';
import type { Decision } from '../../src/domain/rules/decide.ts';
import { CommitQueue } from '../../src/ledger/commit-queue.ts';
import type { Batch, BatchWriter } from '../../src/ledger/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { fixedSalts } from '../support/salts.ts';
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

/** A command of so many entries for member 1. */
export function credits(realmId: string, count = 1_000): CommandOf<'points.batch'> {
  const entry = { memberId: '1', tokens: 1, realmPointId: null, description: null };
  const entries = Array.from({ length: count }, () => entry);
  return inRealm(realmId, command('points.batch', { atomic: true, entries }));
}

export const UNLIMITED = { realmsPerBatch: Number.POSITIVE_INFINITY, inFlight: 1 };

type Commit = (batch: Batch, onSent: () => void) => Promise<Decision>;

/** A store, and the members that each of its batches enrolled in each realm. */
export function recording() {
  const store = openSqliteStore(':memory:');
  const batches: string[] = [];
  const commit = async (batch: Batch): Promise<Decision> => {
    const decision = await store.writer.write(batch).done;
    const parts = decision.changes.map(({ realm, members }) =>
      [realm.id, ...members.map(({ key }) => key)].join(' '),
    );
    batches.push(parts.join(', '));
    return decision;
  };
  return { commit, batches, store, close: () => store.close() };
}

export const writerOf = (commit: Commit, limits = UNLIMITED): BatchWriter => ({
  limits,
  write: (batch) => {
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    return { sent, done: commit(batch, onSent).finally(onSent) };
  },
});

export const queueOn = (writer: BatchWriter): CommitQueue =>
  new CommitQueue(writer, {
    clock: () => 0,
    salts: fixedSalts,
    onWritten: () => {},
    onTimed: null,
    locked: null,
  });

export const queueOf = (commit: Commit, limits = UNLIMITED): CommitQueue =>
  queueOn(writerOf(commit, limits));

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

export const has = ({ needs }: Batch, realm: string): boolean =>
  needs.some(({ realmId }) => realmId === realm);
