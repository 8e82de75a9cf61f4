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

  CREATE TABLE reversed (
    realm_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    by_seq INTEGER NOT NULL,
    PRIMARY KEY (realm_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE point_kinds (
    realm_id TEXT NOT NULL,
    realm_point_id TEXT NOT NULL,
    name TEXT NOT NULL,
    symbol TEXT,
    is_default INTEGER NOT NULL,
    is_transferable INTEGER NOT NULL,
    minimum_balance INTEGER NOT NULL,
    maximum_balance INTEGER NOT NULL,
    PRIMARY KEY (realm_id, realm_point_id)
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
    realm_point_id TEXT NOT NULL,
    balance INTEGER NOT NULL,
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
  CREATE INDEX holds_open ON holds (realm_id, member_id, realm_point_id) WHERE status = 'open';
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
  CREATE TABLE idempotency_keys (
    realm_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at INTEGER NOT NULL,
    seq INTEGER,
    answer TEXT
  ) STRICT;
  CREATE UNIQUE INDEX idempotency_keys_by_key ON idempotency_keys (realm_id, idempotency_key);
  `,
  `
  -- Texts that members were asked to sign. Row ids for the same reason as in \`remembered\`.
  CREATE TABLE challenges (
    realm_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    wallet_key TEXT NOT NULL,
    message TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX challenges_by_nonce ON challenges (realm_id, nonce);
  CREATE INDEX challenges_unused ON challenges (realm_id, member_id) WHERE used_at IS NULL;
  -- The chain whose contract proved the wallet; null where a key did.
  ALTER TABLE wallets ADD COLUMN verified_on TEXT;
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
