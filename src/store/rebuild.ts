import { Auditor } from '../domain/rules/audit.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { BucketCounts } from '../domain/rules/leaderboards.ts';
import { Projector } from '../domain/rules/projections.ts';
import { TableAuditor } from '../domain/rules/table-audit.ts';
import { removalFrom } from './removal.ts';
import { insertInto, lockRealm } from './rows.ts';
import { PAGE_SIZE, realmEnd, snapshot } from './snapshot.ts';
import { askWrite, first, type Operation, together } from './statement.ts';
import type { Table } from './table.ts';
import { tables } from './tables.ts';
import { decoded } from './verification.ts';

const { entries, movements, references, scores, pastScores, buckets, days, activeMembers } = tables;

const lists = [entries, movements, references, pastScores];
const removals = [...lists, scores, buckets, days, activeMembers].map((table) =>
  removalFrom(table as Table<never>),
);

/**
 * Derives the tables anew that `verify` compares with the journal, in one transaction, which is as
 * long as the journal. A process that has the realm in its cache must not write meanwhile.
 */
export function* rebuildProjections(realmId: string): Operation<void> {
  const end = (yield* first(lockRealm, { realmId })) && (yield* realmEnd(realmId));
  if (!end) return;
  for (const remove of removals) {
    while ((yield* remove({ realmId, limit: PAGE_SIZE })) > 0);
  }
  const auditor = new Auditor(realmId);
  const state = new TableAuditor(auditor);
  const projector = new Projector([], []);
  const counts = new BucketCounts();
  let page: JournalRecord[] = [];
  do {
    page = yield* snapshot.records.page(realmId, page.at(-1));
    for (const record of page) {
      const fault = auditor.checkRecord(record);
      if (fault) throw new Error(fault.detail);
      state.add(decoded(record));
      projector.add(decoded(record));
    }
    yield* insert(entries, realmId, projector.entries.splice(0));
    yield* insert(movements, realmId, projector.movements.splice(0));
    yield* insert(references, realmId, projector.references.splice(0));
    for (const row of projector.scores.past) counts.addPast(row);
    yield* insert(pastScores, realmId, projector.scores.past.splice(0));
  } while (page.length === PAGE_SIZE);
  const { scores: changes, moves } = projector.scores.changes();
  yield* insert(days, realmId, projector.days);
  yield* insert(activeMembers, realmId, projector.activity.counts);
  yield* insert(
    scores,
    realmId,
    changes.flatMap(({ row }) => row ?? []),
  );
  yield* insert(buckets, realmId, counts.after([...moves, ...state.standings()]));
}

function* insert<Row>(table: Table<Row>, realmId: string, rows: readonly Row[]): Operation<void> {
  for (let from = 0; from < rows.length; from += PAGE_SIZE) {
    const some = rows.slice(from, from + PAGE_SIZE).map((row) => ({ realmId, row }));
    yield* together(askWrite(insertInto(table), some));
  }
}
