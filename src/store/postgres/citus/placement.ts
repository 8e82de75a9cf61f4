import { Unavailable } from '../../../ledger/errors.ts';
import { keyDirectory } from '../../key-directory.ts';
import type { Ask, Operation } from '../../statement.ts';
import type { SqlValue } from '../../table.ts';
import type { Connection } from '../connection.ts';
import type { Request } from '../pipeline.ts';
import { statement } from '../statement.ts';
import type { Shard } from './catalogue.ts';

export type ShardOf = (realmId: string) => Shard;

/** Another server stores the shard by now. Nothing was changed, and it can be asked at once. */
class ShardMoved extends Unavailable {}

/** A shard that was moved is dropped a little later; Citus has no entry of one that was split. */
export const isMoved = (error: unknown): boolean =>
  error instanceof ShardMoved || /42P01|entry for shard/.test(`${Object(error).code} ${error}`);

const sql = {
  // Shared, as for changes by Citus itself: the last step of a move needs it alone.
  lock: statement<unknown, [string[]]>('SELECT lock_shard_metadata(5, $1::bigint[])'),
  here: statement<unknown, [string[]]>(
    `SELECT 1 FROM pg_dist_placement WHERE shardid = ANY ($1::bigint[])
       AND groupid = (SELECT groupid FROM pg_dist_local_group)`,
  ),
  moving: statement<unknown, [string[]]>(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 4
       AND mode = 'ExclusiveLock' AND (classid::bigint << 32) + objid::bigint = ANY ($1::bigint[])
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  ),
};

/** Of their parts of `realms`: whoever moves a shard locks all of its parts. */
const idsOf = (shards: Iterable<Shard>): string[] =>
  [...new Set(shards)].map(({ ids }) => ids.realms ?? '').sort();

/** Fails unless this server stores the shards. */
export function requireHere(shards: Iterable<Shard>): Request[] {
  const ids = idsOf(shards);
  const read = ([found]: readonly { count: number }[]): void => {
    if (found?.count === ids.length) return;
    throw new ShardMoved('overloaded', 'the realm was moved to another server');
  };
  return [{ executions: [{ statement: sql.here, values: [ids] }], read }];
}

/** The same, and none of them is moved before the transaction ends. */
export const keepHere = (shards: Iterable<Shard>): Request[] => {
  const lock = { statement: sql.lock, values: [idsOf(shards)] };
  return [{ executions: [lock], read: () => undefined }, ...requireHere(shards)];
};

/** Whether the last step of its move is being made. */
export const isMoving = async (connection: Connection, shard: Shard): Promise<boolean> =>
  (await connection.query(sql.moving, idsOf([shard]))).length > 0;

/** What an operation asks of one shard. */
export type PlacedAsk = Ask & { readonly shard?: Shard };

/** Runs an operation on several shards at once: their steps are asked together. */
export function* onEach<T>(shards: readonly Shard[], start: () => Operation<T>): Operation<T[]> {
  const operations = shards.map(start);
  const steps = operations.map((operation) => operation.next());
  while (steps.some(({ done }) => !done)) {
    const asks = steps.map((step, at) =>
      step.done ? [] : step.value.map((ask) => ({ ...ask, shard: shards[at] as Shard })),
    );
    const answers = [...(yield asks.flat())];
    for (const [at, operation] of operations.entries()) {
      const own = answers.splice(0, asks[at]?.length);
      if (!steps[at]?.done) steps[at] = operation.next(own);
    }
  }
  return steps.map(({ value }) => value as T);
}

/** Splits what is asked of several realms by the shards that store them. */
export function splitByShard(ask: Ask, shardOf: ShardOf): PlacedAsk[] {
  if ('write' in ask) {
    // It is written before: every server has it.
    if (ask.write.table === keyDirectory) return [];
    const byShard = Map.groupBy(ask.rows, ({ realmId }) => shardOf(realmId));
    return Array.from(byShard, ([shard, rows]) => ({ ...ask, rows, shard }));
  }
  if ('lookUp' in ask) {
    const byShard = Map.groupBy(ask.realmIds.keys(), (at) => shardOf(ask.realmIds[at] as string));
    return Array.from(byShard, ([shard, own]) => ({
      ...ask,
      realmIds: own.map((at) => ask.realmIds[at] as string),
      keys: own.map((at) => ask.keys[at] as SqlValue),
      shard,
    }));
  }
  return [{ ...ask, shard: shardOf(ask.params.realmId as string) }];
}
