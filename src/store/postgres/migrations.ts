/**
 * The steps from an empty database to today's tables, in order, never edited once released: the
 * table `schema_steps` counts how many were taken. `realm_id` leads every key and index, so that
 * realms can be spread over servers, but for two small tables that belong to no realm: `service`,
 * and `key_directory`, which tells the realm of a key before its realm is known. Texts compare by
 * their bytes (`COLLATE "C"`), whatever language the database was made for.
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

  -- Every batch writes its realm's row: room is left on its page, so that no index is touched.
  CREATE TABLE realms (
    realm_id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    settings text NOT NULL,
    seq bigint NOT NULL,
    head bytea NOT NULL,
    last_at bigint NOT NULL,
    next_member_id bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  ) WITH (fillfactor = 25);

  -- The first record of a batch bears a mark of its own, by which a writer whose connection broke
  -- at the very end knows its batch again.
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

  CREATE TABLE reversed (
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
    PRIMARY KEY (realm_id, realm_point_id)
  );

  CREATE TABLE members (
    realm_id text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    username text,
    display_name text,
    status text COLLATE "C" NOT NULL,
    metadata text NOT NULL,
    search text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (realm_id, member_id)
  );

  CREATE TABLE balances (
    realm_id text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    balance bigint NOT NULL,
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
  CREATE INDEX holds_open ON holds (realm_id, member_id, realm_point_id) WHERE status = 'open';
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

  CREATE TABLE wallets (
    realm_id text COLLATE "C" NOT NULL,
    wallet_key text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    chain text NOT NULL,
    address text NOT NULL,
    is_primary smallint NOT NULL,
    verified_at bigint,
    -- The chain whose contract proved the wallet; null where a key did.
    verified_on text,
    linked_at bigint NOT NULL,
    PRIMARY KEY (realm_id, wallet_key)
  );
  CREATE INDEX wallets_by_member ON wallets (realm_id, member_id);

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

  -- The token contracts that a realm asks about. A token id has up to 256 bits, so it is text.
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

  -- Texts that members were asked to sign.
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

  -- The oldest rows of all realms are found by their time. What is new goes to that index's end, so
  -- it costs little; one by blocks forgets nothing of what lay in a block, and ends as a scan.
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

  -- From here on, what follows from the journal: how far a realm's journal was followed, and up to
  -- which member everybody was put on the board of a new kind of points.
  CREATE TABLE projection_positions (
    realm_id text COLLATE "C" PRIMARY KEY,
    seq bigint NOT NULL,
    entered_to bigint NOT NULL
  ) WITH (fillfactor = 25);

  -- The movements of a kind of points by member: statements and balances of the past.
  CREATE TABLE entries (
    realm_id text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    balance bigint NOT NULL,
    PRIMARY KEY (realm_id, member_id, realm_point_id, seq)
  );

  -- The same movements by type: the realm's transactions.
  CREATE TABLE movements (
    realm_id text COLLATE "C" NOT NULL,
    realm_point_id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (realm_id, realm_point_id, type, seq)
  );

  -- The score of a member on a board: a kind of points, for all time (the balance) or for a day,
  -- a week or a month (what was earned in it).
  CREATE TABLE standings (
    realm_id text COLLATE "C" NOT NULL,
    board text COLLATE "C" NOT NULL,
    member_id bigint NOT NULL,
    score bigint NOT NULL,
    PRIMARY KEY (realm_id, board, member_id)
  );
  -- Every score is above this bound. Only a statement that says so can use this index: it is never
  -- taken for the look-up of one member, which it could serve only by reading the whole board.
  CREATE INDEX standings_by_score ON standings (realm_id, board, score DESC, member_id)
    WHERE score > -9007199254740992;

  -- How many members of a board have a score from "lower" up to the next bucket: a rank is a sum
  -- over buckets and a count within one, never a scan of the realm.
  CREATE TABLE rank_buckets (
    realm_id text COLLATE "C" NOT NULL,
    board text COLLATE "C" NOT NULL,
    lower bigint NOT NULL,
    count bigint NOT NULL,
    split_at bigint NOT NULL,
    PRIMARY KEY (realm_id, board, lower)
  ) WITH (fillfactor = 70);
  `,
];
