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

  -- The first record of a batch has the batch's id, by which a writer whose connection dropped at
  -- the commit finds out whether the batch was committed.
  CREATE TABLE journal (
    realm_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL,
    data text NOT NULL,
    hash bytea NOT NULL,
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
    PRIMARY KEY (realm_id, member_id)
  );

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
    seq bigint,
    answer text,
    PRIMARY KEY (realm_id, idempotency_key)
  );
  CREATE INDEX idempotency_keys_by_time ON idempotency_keys (at);

  -- From here on, projections of the journal. A position is how far a realm's journal is projected,
  -- the hash of that record (if the journal has another hash there, it is another journal), and,
  -- after a new point kind, up to which member all have been enrolled on its leaderboard.
  CREATE TABLE projection_positions (
    realm_id text COLLATE "C" PRIMARY KEY,
    seq bigint NOT NULL,
    hash bytea,
    enrolled_to bigint NOT NULL
  ) WITH (fillfactor = 25);

  -- The movements of points by member and kind, for statements and past balances.
  CREATE TABLE entries (
    realm_id text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    balance bigint NOT NULL,
    PRIMARY KEY (realm_id, member_id, realm_point_id, seq)
  );

  -- The same movements by kind and type, for the realm's transactions.
  CREATE TABLE movements (
    realm_id text COLLATE "C" NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (realm_id, realm_point_id, type, seq)
  );

  -- The words of the names of members, for searches by the beginning of a word, each with the
  -- member's other words, which the other terms of a search are compared with.
  CREATE TABLE member_words (
    realm_id text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    others text NOT NULL,
    PRIMARY KEY (realm_id, word, member_id)
  );

  -- The same words by member and name, separated by spaces: what a change of a name removes.
  CREATE TABLE member_names (
    realm_id text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    username text NOT NULL,
    display_name text NOT NULL,
    PRIMARY KEY (realm_id, member_id)
  );

  -- What happened in each day in UTC: one row that counts the records, and one for each kind of
  -- points. The rows of day -1 add up all days. Sums are digits, since they may exceed 64 bits.
  CREATE TABLE daily_totals (
    realm_id text COLLATE "C" NOT NULL,
    day bigint NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    records bigint NOT NULL,
    issued text NOT NULL,
    spent text NOT NULL,
    opened text NOT NULL,
    held text NOT NULL,
    PRIMARY KEY (realm_id, day, realm_point_id)
  );

  -- The score of a member on a leaderboard. There is one for each kind of points for all time,
  -- where the score is the balance, and one for each day, week and month, where it is what the
  -- member earned in it. Only the former have when the member's points last moved: a debit does not
  -- change what was earned, and need not write it.
  CREATE TABLE standings (
    realm_id text COLLATE "C" NOT NULL,
    leaderboard text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    score bigint NOT NULL,
    moved_at bigint,
    PRIMARY KEY (realm_id, leaderboard, member_id)
  );
  -- Every score is above this bound, and only a statement that says so can use the index. So the
  -- planner never picks it to look up one member, for which it would read the whole leaderboard.
  CREATE INDEX standings_by_score ON standings (realm_id, leaderboard, score DESC, member_id)
    WHERE score > -9007199254740992;

  -- The number of members with a score from "lower" up to the next bucket. A rank is a sum over
  -- buckets and a count within one, never a scan of the leaderboard.
  CREATE TABLE rank_buckets (
    realm_id text COLLATE "C" NOT NULL,
    leaderboard text COLLATE "C" NOT NULL,
    lower bigint NOT NULL,
    count bigint NOT NULL,
    split_at bigint NOT NULL,
    PRIMARY KEY (realm_id, leaderboard, lower)
  ) WITH (fillfactor = 70);
  `,
];
