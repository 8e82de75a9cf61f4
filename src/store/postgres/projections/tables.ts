/** The projections of the journal, as part of the first migration. */
export const PROJECTION_TABLES = `
  -- A position is how far a realm's journal is projected,
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
`.trim();
