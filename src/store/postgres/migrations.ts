import { PROJECTION_TABLES } from './projections/tables.ts';

/**
 * The migrations that take an empty database to the current schema, in order. One that was released
 * is never edited: the table `schema_migrations` has a row for each that was applied. `realm_id`
 * leads every primary key, so that realms can be distributed over servers, except in three small
 * tables of no realm; `key_directory` finds the realm of an API key. Keys compare by their bytes
 * (`COLLATE "C"`), whatever the locale. `tables/tables.ts` describes most columns, too.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE service (
    name text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
  );

  CREATE TABLE key_directory (
    key_id text COLLATE "C" PRIMARY KEY,
    realm_id text COLLATE "C" NOT NULL
  );

  -- The sessions of the console, and its one-time codes. Root sessions belong to no realm.
  CREATE TABLE sessions (
    session_id text COLLATE "C" PRIMARY KEY,
    key_id text COLLATE "C" NOT NULL,
    is_code smallint NOT NULL,
    secret_hash text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    user_agent text
  );
  CREATE INDEX sessions_by_key ON sessions (key_id, created_at);
  CREATE INDEX sessions_by_time ON sessions (expires_at);

  -- Every batch updates its realm's row. The fill factor leaves room on the page for the new
  -- version, so that no index has to be updated.
  CREATE TABLE realms (
    realm_id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    settings text NOT NULL,
    seq bigint NOT NULL,
    head bytea NOT NULL,
    last_at bigint NOT NULL,
    clock_at bigint NOT NULL,
    set_back_seq bigint,
    next_member_id bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    archived_at bigint,
    deleted_at bigint
  ) WITH (fillfactor = 25);
  CREATE INDEX realms_deleted ON realms (realm_id) WHERE deleted_at IS NOT NULL;

  -- "personal" has what a record says of persons, and can be erased; its hash stays. The first
  -- record of a batch has the batch's id, by which a writer whose connection dropped at the commit
  -- finds out whether the batch was committed.
  CREATE TABLE journal (
    realm_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL,
    data text NOT NULL,
    hash bytea NOT NULL,
    personal text,
    personal_hash bytea,
    batch text COLLATE "C",
    PRIMARY KEY (realm_id, seq)
  );

  -- How much of a transaction has been reversed, and the "seq" of the last reversal.
  CREATE TABLE reversals (
    realm_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    tokens bigint NOT NULL,
    by_seq bigint NOT NULL,
    PRIMARY KEY (realm_id, seq)
  );

  -- Members that were erased, with the "seq" of the record of it, and how far that is: in a phase,
  -- after a key of the table that it goes through.
  CREATE TABLE erasures (
    realm_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    member_id bigint NOT NULL,
    phase text COLLATE "C" NOT NULL,
    position text COLLATE "C" NOT NULL,
    PRIMARY KEY (realm_id, seq)
  );
  CREATE INDEX erasures_by_member ON erasures (realm_id, member_id, seq);
  CREATE INDEX erasures_unfinished ON erasures (realm_id, seq) WHERE phase <> 'done';

  CREATE TABLE point_kinds (
    realm_id text COLLATE "C" NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    symbol text,
    is_default smallint NOT NULL,
    is_transferable smallint NOT NULL,
    minimum_balance bigint NOT NULL,
    maximum_balance bigint NOT NULL,
    archived smallint NOT NULL,
    PRIMARY KEY (realm_id, realm_point_id)
  );

  CREATE TABLE members (
    realm_id text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    username text,
    display_name text,
    status text COLLATE "C" NOT NULL,
    metadata text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    erased_at bigint,
    PRIMARY KEY (realm_id, member_id)
  );
  CREATE INDEX members_by_age ON members (realm_id, created_at, member_id)
    WHERE status <> 'removed';
  CREATE INDEX members_by_name ON members
    (realm_id, lower(coalesce(display_name, username, '\u{10ffff}') COLLATE "C"), member_id)
    WHERE status <> 'removed';

  CREATE TABLE balances (
    realm_id text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    balance bigint NOT NULL,
    held bigint NOT NULL,
    open_holds bigint NOT NULL,
    PRIMARY KEY (realm_id, member_id, realm_point_id)
  ) WITH (fillfactor = 70);

  CREATE TABLE holds (
    realm_id text COLLATE "C" NOT NULL,
    hold_id bigint NOT NULL,
    member_id bigint NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    tokens bigint NOT NULL,
    captured bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    description text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (realm_id, hold_id)
  );
  CREATE INDEX holds_open ON holds (realm_id, member_id, realm_point_id, expires_at)
    WHERE status = 'open';
  CREATE INDEX holds_by_status ON holds (realm_id, status, hold_id);
  CREATE INDEX holds_by_member ON holds (realm_id, member_id, status, hold_id);
  CREATE INDEX holds_due ON holds (realm_id, expires_at) WHERE status = 'open';

  CREATE TABLE accounts (
    realm_id text COLLATE "C" NOT NULL,
    account_key text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    provider text NOT NULL,
    account_id text NOT NULL,
    username text,
    PRIMARY KEY (realm_id, account_key)
  );
  CREATE INDEX accounts_by_member ON accounts (realm_id, member_id);

  -- "verified_on" is the chain whose contract verified the wallet, or null if a key did.
  CREATE TABLE wallets (
    realm_id text COLLATE "C" NOT NULL,
    wallet_key text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    chain text NOT NULL,
    address text NOT NULL,
    is_primary smallint NOT NULL,
    verified_at bigint,
    verified_on text,
    linked_at bigint NOT NULL,
    PRIMARY KEY (realm_id, wallet_key)
  );
  CREATE INDEX wallets_by_member ON wallets (realm_id, member_id, is_primary);

  CREATE TABLE api_keys (
    realm_id text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    scopes text NOT NULL,
    secret_hash text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    replaced_by text,
    last_used_at bigint,
    PRIMARY KEY (realm_id, key_id)
  );

  -- The token contracts whose holdings a realm shows. Token ids have up to 256 bits, hence text.
  CREATE TABLE assets (
    realm_id text COLLATE "C" NOT NULL,
    asset_id text COLLATE "C" NOT NULL,
    chain text NOT NULL,
    standard text NOT NULL,
    contract text NOT NULL,
    token_id text,
    symbol text,
    PRIMARY KEY (realm_id, asset_id)
  );

  -- Where events are sent, with the sealed secrets that they are signed with. "start_after" is the
  -- last event that is not sent, as of the record "start_seq"; the columns from "progress_of" on
  -- are the sender's own, which it updates often: no index has them.
  CREATE TABLE webhooks (
    realm_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    url text NOT NULL,
    types text NOT NULL,
    description text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    paused_at bigint,
    pause_reason text,
    secret text NOT NULL,
    previous_secret text,
    previous_until bigint,
    start_seq bigint NOT NULL,
    start_after bigint NOT NULL,
    progress_of bigint,
    position bigint,
    attempts bigint,
    failing_since bigint,
    next_at bigint,
    lease_owner text,
    lease_until bigint,
    PRIMARY KEY (realm_id, webhook_id)
  ) WITH (fillfactor = 50);

  -- The newest attempts of each webhook to deliver an event.
  CREATE TABLE webhook_deliveries (
    realm_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    delivery_id bigint NOT NULL,
    seq bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    attempt bigint NOT NULL,
    at bigint NOT NULL,
    latency_ms bigint NOT NULL,
    status bigint,
    answer text,
    error text,
    PRIMARY KEY (realm_id, webhook_id, delivery_id)
  );

  -- Messages that members were asked to sign.
  CREATE TABLE challenges (
    realm_id text COLLATE "C" NOT NULL,
    nonce text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    wallet_key text COLLATE "C" NOT NULL,
    message text NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint,
    PRIMARY KEY (realm_id, nonce)
  );
  CREATE INDEX challenges_unused ON challenges (realm_id, member_id) WHERE used_at IS NULL;
  CREATE INDEX challenges_by_time ON challenges (expires_at);

  -- The index finds the oldest rows of all realms. It is cheap because new rows go to its end. A
  -- block range index would not do: it keeps the ranges of deleted rows, and ends up as a scan.
  CREATE TABLE idempotency_keys (
    realm_id text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    seq bigint NOT NULL,
    answer text,
    PRIMARY KEY (realm_id, idempotency_key)
  );
  CREATE INDEX idempotency_keys_by_time ON idempotency_keys (at);
  -- Most answers are in the journal; an erasure looks through the others.
  CREATE INDEX idempotency_answers ON idempotency_keys (realm_id, idempotency_key)
    WHERE answer IS NOT NULL;

  ${PROJECTION_TABLES}
  `,
];
