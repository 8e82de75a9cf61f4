import { POINTS_TYPES } from '../domain/movements.ts';
import type { StorageFault } from '../domain/queries.ts';
import { MAX_SCORE } from '../domain/rules/leaderboards.ts';
import type { Dialect, Layout } from './dialect.ts';
import { keyDirectory } from './key-directory.ts';
import { owners, passkeys, service, sessions } from './service-tables.ts';
import type { Table, TableColumn } from './table.ts';
import { tables } from './tables.ts';

export const ALL_TABLES: readonly Table<never>[] = [
  service,
  keyDirectory,
  sessions,
  owners,
  passkeys,
  ...Object.values(tables),
];

/**
 * What members are sorted by: letters of ASCII regardless of their case; those without a name come
 * last. Both databases compare the bytes of UTF-8, so they agree on the order.
 */
export const SORT_NAME = "lower(coalesce(display_name, username, '\u{10ffff}'))";

/** Every score is above it. */
export const BELOW_SCORES = -1n - MAX_SCORE;

/**
 * How rows are stored, unless by their key alone: a percentage leaves room on each page, so that a
 * changed row stays on it. By age, the oldest are found and deleted without a second index, and
 * only the small index of the primary key is updated in random order.
 */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  realms: 25,
  webhooks: 50,
  balances: 70,
  offers: 50,
  claimants: 70,
  rank_buckets: 70,
  idempotency_keys: 'by age',
  challenges: 'by age',
};

/**
 * Records that no other table has by their type; rejected claims may move no points. A statement
 * that says so can use the index of their types. For a `NOT IN`, SQLite builds a table at every
 * insertion, which doubled its time (4.5 to 9 µs).
 */
export const BY_TYPE = [...POINTS_TYPES, 'offer.claimed']
  .map((type) => `type <> '${type}'`)
  .join(' AND ');

const INDEXES = `
  CREATE INDEX journal_by_type ON journal (realm_id, type, seq) WHERE ${BY_TYPE};
  CREATE INDEX sessions_by_key ON sessions (key_id, created_at);
  CREATE INDEX sessions_by_time ON sessions (expires_at);
  CREATE INDEX realms_deleted ON realms (realm_id) WHERE deleted_at IS NOT NULL;
  CREATE INDEX passkeys_by_person ON passkeys (person_id, created_at);
  CREATE INDEX erasures_by_id ON erasures (realm_id, erased_id, seq);
  CREATE INDEX erasures_unfinished ON erasures (realm_id, seq) WHERE phase <> 'done';
  CREATE INDEX members_by_age ON members (realm_id, created_at, member_id)
    WHERE status <> 'removed';
  CREATE INDEX members_by_name ON members (realm_id, ${SORT_NAME}, member_id)
    WHERE status <> 'removed';
  CREATE INDEX holds_open ON holds (realm_id, member_id, realm_point_id, expires_at)
    WHERE status = 'open';
  CREATE INDEX holds_by_status ON holds (realm_id, status, hold_id);
  CREATE INDEX holds_by_member ON holds (realm_id, member_id, status, hold_id);
  CREATE INDEX holds_due ON holds (expires_at, realm_id) WHERE status = 'open';
  CREATE INDEX claims_by_offer ON claims (realm_id, offer_id, claim_id);
  CREATE INDEX claims_by_member ON claims (realm_id, member_id, claim_id);
  CREATE INDEX claims_not_done ON claims (realm_id, status, claim_id) WHERE status <> 'done';
  CREATE INDEX accounts_by_member ON accounts (realm_id, member_id, account_key);
  CREATE INDEX wallets_by_member ON wallets (realm_id, member_id, is_primary, address);
  CREATE INDEX challenges_unused ON challenges (realm_id, member_id) WHERE used_at IS NULL;
  CREATE INDEX rank_buckets_by_end ON rank_buckets (ends_at) WHERE ends_at IS NOT NULL;

  -- Most answers are in the journal; an erasure looks through the others.
  CREATE INDEX idempotency_answers ON idempotency_keys (realm_id, idempotency_key)
    WHERE answer IS NOT NULL;

  -- The leaderboards for all time, and those of days, weeks and months. Every score is above this
  -- bound, and only a statement that says so can use the index: no planner picks it to look up one
  -- member. That of balances has all that a page reads of its rows.
  CREATE INDEX balances_by_score ON balances
    (realm_id, realm_point_id, balance DESC, member_id, moved_at)
    WHERE balance > ${BELOW_SCORES};
  CREATE INDEX scores_by_day ON scores
    (realm_id, realm_point_id, day, day_score DESC, member_id)
    WHERE day_score > ${BELOW_SCORES};
  CREATE INDEX scores_by_week ON scores
    (realm_id, realm_point_id, week, week_score DESC, member_id)
    WHERE week_score > ${BELOW_SCORES};
  CREATE INDEX scores_by_month ON scores
    (realm_id, realm_point_id, month, month_score DESC, member_id)
    WHERE month_score > ${BELOW_SCORES};
  CREATE INDEX past_scores_by_score ON past_scores (realm_id, leaderboard, score DESC, member_id)
    WHERE score > ${BELOW_SCORES};
`;

/** SQLite finds the oldest rows of these tables by the order in which they are stored. */
const BY_TIME = `
  CREATE INDEX idempotency_keys_by_time ON idempotency_keys (at);
  CREATE INDEX challenges_by_time ON challenges (expires_at);
`;

/** The columns of the key come first, in its order. */
function definitionOf({ types, storage }: Dialect, { name, key, columns }: Table<never>): string {
  const placeOf = (column: TableColumn<never>): number =>
    key.includes(column.name) ? key.indexOf(column.name) : key.length;
  const lines = columns
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((one) => `${one.name} ${types[one.type]}${one.isNullable ? '' : ' NOT NULL'}`);
  lines.push(`PRIMARY KEY (${key.join(', ')})`);
  return `\n  CREATE TABLE ${name} (\n    ${lines.join(',\n    ')}\n  ) ${storage(LAYOUTS[name])};`;
}

const firstVersion = (dialect: Dialect): string =>
  ALL_TABLES.map((table) => definitionOf(dialect, table)).join('') +
  INDEXES +
  (dialect.name === 'postgres' ? BY_TIME : '');

/**
 * The migrations that take an empty database to the current schema, in order. `realm_id` leads
 * every primary key, so that realms can be distributed over servers, except in five small tables
 * of no realm. The first follows from `tables.ts`; its fixture shows how it was when it was
 * released, and from then on it is that text. One that was released is never edited.
 */
export const migrationsFor = (dialect: Dialect): readonly string[] => [firstVersion(dialect)];

export const NOT_MIGRATED: StorageFault = {
  check: 'storage',
  reason: 'The database is of an older version than this program. Run "npx realmkeep migrate".',
};
