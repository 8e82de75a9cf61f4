/**
 * The steps from an empty file to today's tables, in order, never edited once released: the file's
 * `user_version` counts how many it has taken. `realm_id` leads every key, as it must where realms
 * are spread over servers. Member ids are 64-bit integers; they cross into JavaScript as text.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE service (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE realms (
    realm_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    seq INTEGER NOT NULL,
    head BLOB NOT NULL,
    last_at INTEGER NOT NULL,
    next_member_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE journal (
    realm_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    data TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (realm_id, seq)
  ) STRICT, WITHOUT ROWID;

  -- The journal's movements by member: what statements and balances of the past are read from.
  CREATE TABLE entries (
    realm_id TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    point_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (realm_id, member_id, point_id, seq)
  ) STRICT, WITHOUT ROWID;

  -- The same movements by type: what the realm's transactions are read from.
  CREATE TABLE movements (
    realm_id TEXT NOT NULL,
    type TEXT NOT NULL,
    seq INTEGER NOT NULL,
    point_id TEXT NOT NULL,
    PRIMARY KEY (realm_id, type, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE reversed (
    realm_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    by_seq INTEGER NOT NULL,
    PRIMARY KEY (realm_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE points (
    realm_id TEXT NOT NULL,
    point_id TEXT NOT NULL,
    name TEXT NOT NULL,
    symbol TEXT,
    is_default INTEGER NOT NULL,
    is_transferable INTEGER NOT NULL,
    minimum_balance INTEGER NOT NULL,
    maximum_balance INTEGER NOT NULL,
    PRIMARY KEY (realm_id, point_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE members (
    realm_id TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    username TEXT,
    display_name TEXT,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (realm_id, member_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE balances (
    realm_id TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    point_id TEXT NOT NULL,
    balance INTEGER NOT NULL,
    open_holds INTEGER NOT NULL,
    PRIMARY KEY (realm_id, member_id, point_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE holds (
    realm_id TEXT NOT NULL,
    hold_id INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    point_id TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    captured INTEGER NOT NULL,
    status TEXT NOT NULL,
    description TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (realm_id, hold_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX holds_open ON holds (realm_id, member_id, point_id) WHERE status = 'open';
  CREATE INDEX holds_due ON holds (expires_at) WHERE status = 'open';

  -- How far the projections (entries, standings) have followed the journal; and up to which
  -- member they have come with a new kind of points, whose board everybody is put on.
  CREATE TABLE projections (
    realm_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    entered_to INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The score of a member on a board: a kind of points, for all time (the balance) or for a day,
  -- a week or a month (what was earned in it).
  CREATE TABLE standings (
    realm_id TEXT NOT NULL,
    board TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    score INTEGER NOT NULL,
    PRIMARY KEY (realm_id, board, member_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX standings_by_score ON standings (realm_id, board, score DESC, member_id);

  -- How many members of a board have a score from \`lower\` up to the next bucket: a rank is a sum
  -- over buckets and a count within one, never a scan of the realm.
  CREATE TABLE rank_buckets (
    realm_id TEXT NOT NULL,
    board TEXT NOT NULL,
    lower INTEGER NOT NULL,
    count INTEGER NOT NULL,
    split_at INTEGER NOT NULL,
    PRIMARY KEY (realm_id, board, lower)
  ) STRICT, WITHOUT ROWID;

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

  CREATE TABLE wallets (
    realm_id TEXT NOT NULL,
    wallet_key TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    chain TEXT NOT NULL,
    address TEXT NOT NULL,
    is_primary INTEGER NOT NULL,
    verified_at INTEGER,
    linked_at INTEGER NOT NULL,
    PRIMARY KEY (realm_id, wallet_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX wallets_by_member ON wallets (realm_id, member_id);

  CREATE TABLE api_keys (
    key_id TEXT PRIMARY KEY,
    realm_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    replaced_by TEXT,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX api_keys_by_realm ON api_keys (realm_id, key_id);

  -- A table with row ids on purpose: rows lie in the order of time, so the oldest are found and
  -- forgotten without a second index, and only the small index takes keys in random order.
  CREATE TABLE remembered (
    realm_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at INTEGER NOT NULL,
    seq INTEGER,
    answer TEXT
  ) STRICT;
  CREATE UNIQUE INDEX remembered_by_key ON remembered (realm_id, idempotency_key);
  `,
  `
  -- The token contracts that a realm asks about. A token id has up to 256 bits, so it is text.
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
  `,
];
