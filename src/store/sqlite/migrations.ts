/**
 * The migrations that take an empty file to the current schema, in order. One that was released is
 * never edited: `user_version` is the number of those applied. `realm_id` leads every primary key,
 * as it does in PostgreSQL, where realms can be distributed over servers. Member ids are 64-bit
 * integers, which JavaScript carries as text. The columns are described in `tables/tables.ts` too.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE service (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The sessions of the console, and its one-time codes. Root sessions belong to no realm.
  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    key_id TEXT NOT NULL,
    is_code INTEGER NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    user_agent TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_key ON sessions (key_id, created_at);
  CREATE INDEX sessions_by_time ON sessions (expires_at);

  CREATE TABLE realms (
    realm_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    seq INTEGER NOT NULL,
    head BLOB NOT NULL,
    last_at INTEGER NOT NULL,
    clock_at INTEGER NOT NULL,
    set_back_seq INTEGER,
    next_member_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    archived_at INTEGER,
    deleted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX realms_deleted ON realms (realm_id) WHERE deleted_at IS NOT NULL;

  -- "personal" has what a record says of persons, and can be erased; its hash stays.
  CREATE TABLE journal (
    realm_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    data TEXT NOT NULL,
    hash BLOB NOT NULL,
    personal TEXT,
    personal_hash BLOB,
    PRIMARY KEY (realm_id, seq)
  ) STRICT, WITHOUT ROWID;

  -- How much of a transaction has been reversed, and the "seq" of the last reversal.
  CREATE TABLE reversals (
    realm_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    by_seq INTEGER NOT NULL,
    PRIMARY KEY (realm_id, seq)
  ) STRICT, WITHOUT ROWID;

  -- Members that were erased, with the "seq" of the record of it, and how far that is: in a phase,
  -- after a key of the table that it goes through.
  CREATE TABLE erasures (
    realm_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    phase TEXT NOT NULL,
    position TEXT NOT NULL,
    PRIMARY KEY (realm_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX erasures_by_member ON erasures (realm_id, member_id, seq);
  CREATE INDEX erasures_unfinished ON erasures (realm_id, seq) WHERE phase <> 'done';

  CREATE TABLE point_kinds (
    realm_id TEXT NOT NULL,
    realm_point_id TEXT NOT NULL,
    name TEXT NOT NULL,
    symbol TEXT,
    is_default INTEGER NOT NULL,
    is_transferable INTEGER NOT NULL,
    minimum_balance INTEGER NOT NULL,
    maximum_balance INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    PRIMARY KEY (realm_id, realm_point_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE members (
    realm_id TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    username TEXT,
    display_name TEXT,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    erased_at INTEGER,
    PRIMARY KEY (realm_id, member_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX members_by_age ON members (realm_id, created_at, member_id)
    WHERE status <> 'removed';
  CREATE INDEX members_by_name ON members
    (realm_id, lower(coalesce(display_name, username, '\u{10ffff}')), member_id)
    WHERE status <> 'removed';

  CREATE TABLE balances (
    realm_id TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    realm_point_id TEXT NOT NULL,
    balance INTEGER NOT NULL,
    held INTEGER NOT NULL,
    open_holds INTEGER NOT NULL,
    PRIMARY KEY (realm_id, member_id, realm_point_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE holds (
    realm_id TEXT NOT NULL,
    hold_id INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    realm_point_id TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    captured INTEGER NOT NULL,
    status TEXT NOT NULL,
    description TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (realm_id, hold_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX holds_open ON holds (realm_id, member_id, realm_point_id, expires_at)
    WHERE status = 'open';
  CREATE INDEX holds_by_status ON holds (realm_id, status, hold_id);
  CREATE INDEX holds_by_member ON holds (realm_id, member_id, status, hold_id);
  CREATE INDEX holds_due ON holds (expires_at) WHERE status = 'open';

  CREATE TABLE accounts (
    realm_id TEXT NOT NULL,
    account_key TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    provider TEXT NOT NULL,
    account_id TEXT NOT NULL,
    username TEXT,
    PRIMARY KEY (realm_id, account_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX accounts_by_member ON accounts (realm_id, member_id);

  -- "verified_on" is the chain whose contract verified the wallet, or null if a key did.
  CREATE TABLE wallets (
    realm_id TEXT NOT NULL,
    wallet_key TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    chain TEXT NOT NULL,
    address TEXT NOT NULL,
    is_primary INTEGER NOT NULL,
    verified_at INTEGER,
    verified_on TEXT,
    linked_at INTEGER NOT NULL,
    PRIMARY KEY (realm_id, wallet_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX wallets_by_member ON wallets (realm_id, member_id, is_primary, address);

  -- A request is authenticated before its realm is known, so keys are found by their id alone.
  CREATE TABLE api_keys (
    realm_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    replaced_by TEXT,
    last_used_at INTEGER,
    PRIMARY KEY (realm_id, key_id)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX api_keys_by_id ON api_keys (key_id);

  -- The token contracts whose holdings a realm shows. Token ids have up to 256 bits, hence text.
  CREATE TABLE assets (
    realm_id TEXT NOT NULL,
    asset_id TEXT NOT NULL,
    chain TEXT NOT NULL,
    standard TEXT NOT NULL,
    contract TEXT NOT NULL,
    token_id TEXT,
    symbol TEXT,
    PRIMARY KEY (realm_id, asset_id)
  ) STRICT, WITHOUT ROWID;

  -- Where events are sent, with the sealed secrets that they are signed with. "start_after" is the
  -- last event that is not sent, as of the record "start_seq"; the columns from "progress_of" on
  -- are the sender's own.
  CREATE TABLE webhooks (
    realm_id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    description TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    paused_at INTEGER,
    pause_reason TEXT,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_until INTEGER,
    start_seq INTEGER NOT NULL,
    start_after INTEGER NOT NULL,
    progress_of INTEGER,
    position INTEGER,
    attempts INTEGER,
    failing_since INTEGER,
    next_at INTEGER,
    lease_owner TEXT,
    lease_until INTEGER,
    PRIMARY KEY (realm_id, webhook_id)
  ) STRICT, WITHOUT ROWID;

  -- The newest attempts of each webhook to deliver an event.
  CREATE TABLE webhook_deliveries (
    realm_id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    delivery_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    latency_ms INTEGER NOT NULL,
    status INTEGER,
    answer TEXT,
    error TEXT,
    PRIMARY KEY (realm_id, webhook_id, delivery_id)
  ) STRICT, WITHOUT ROWID;

  -- With row ids, unlike the tables above: rows are stored in the order of insertion, so the oldest
  -- are found and deleted without a second index, and only the small index of the primary key is
  -- updated in random order.
  CREATE TABLE idempotency_keys (
    realm_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    answer TEXT,
    PRIMARY KEY (realm_id, idempotency_key)
  ) STRICT;
  -- Most answers are in the journal; an erasure looks through the others.
  CREATE INDEX idempotency_answers ON idempotency_keys (realm_id, idempotency_key)
    WHERE answer IS NOT NULL;

  -- Messages that members were asked to sign. With row ids for the same reason.
  CREATE TABLE challenges (
    realm_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    wallet_key TEXT NOT NULL,
    message TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    PRIMARY KEY (realm_id, nonce)
  ) STRICT;
  CREATE INDEX challenges_unused ON challenges (realm_id, member_id) WHERE used_at IS NULL;
  `,
];
