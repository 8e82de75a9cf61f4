INSERT INTO journal (realm_id, seq, type, at, actor, data, hash, personal, personal_hash, batch) SELECT realms.realm_id, new.seq, new.type, new.at, new.actor, new.data, decode(new.hash, 'hex'), new.personal, decode(new.personal_hash, 'hex'), new.batch FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[]) AS new(seq, type, at, actor, data, hash, personal, personal_hash, batch)
     WHERE realms.realm_id = $1;

INSERT INTO balances (realm_id, member_id, realm_point_id, balance, held, open_holds) SELECT realms.realm_id, new.member_id, new.realm_point_id, new.balance, new.held, new.open_holds FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) AS new(member_id, realm_point_id, balance, held, open_holds)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, member_id, realm_point_id) DO UPDATE SET balance = excluded.balance, held = excluded.held, open_holds = excluded.open_holds;

INSERT INTO idempotency_keys (realm_id, idempotency_key, fingerprint, at, seq, answer) SELECT realms.realm_id, new.idempotency_key, new.fingerprint, new.at, new.seq, new.answer FROM realms CROSS JOIN unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) AS new(idempotency_key, fingerprint, at, seq, answer)
     WHERE realms.realm_id = $1;

INSERT INTO reversals (realm_id, seq, tokens, by_seq) SELECT realms.realm_id, new.seq, new.tokens, new.by_seq FROM realms CROSS JOIN unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS new(seq, tokens, by_seq)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, seq) DO UPDATE SET tokens = excluded.tokens, by_seq = excluded.by_seq;

INSERT INTO holds (realm_id, hold_id, member_id, realm_point_id, tokens, captured, status, description, created_at, expires_at) SELECT realms.realm_id, new.hold_id, new.member_id, new.realm_point_id, new.tokens, new.captured, new.status, new.description, new.created_at, new.expires_at FROM realms CROSS JOIN unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::bigint[], $10::bigint[]) AS new(hold_id, member_id, realm_point_id, tokens, captured, status, description, created_at, expires_at)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, hold_id) DO UPDATE SET member_id = excluded.member_id, realm_point_id = excluded.realm_point_id, tokens = excluded.tokens, captured = excluded.captured, status = excluded.status, description = excluded.description, created_at = excluded.created_at, expires_at = excluded.expires_at;

INSERT INTO members (realm_id, member_id, username, display_name, status, metadata, created_at, updated_at, erased_at) SELECT realms.realm_id, new.member_id, new.username, new.display_name, new.status, new.metadata, new.created_at, new.updated_at, new.erased_at FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[]) AS new(member_id, username, display_name, status, metadata, created_at, updated_at, erased_at)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, member_id) DO UPDATE SET username = excluded.username, display_name = excluded.display_name, status = excluded.status, metadata = excluded.metadata, created_at = excluded.created_at, updated_at = excluded.updated_at, erased_at = excluded.erased_at;

INSERT INTO erasures (realm_id, seq, member_id, phase, position) SELECT realms.realm_id, new.seq, new.member_id, new.phase, new.position FROM realms CROSS JOIN unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[]) AS new(seq, member_id, phase, position)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, seq) DO UPDATE SET member_id = excluded.member_id, phase = excluded.phase, position = excluded.position;

INSERT INTO accounts (realm_id, member_id, provider, account_id, username, account_key) SELECT realms.realm_id, new.member_id, new.provider, new.account_id, new.username, new.account_key FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) AS new(member_id, provider, account_id, username, account_key)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, account_key) DO UPDATE SET member_id = excluded.member_id, provider = excluded.provider, account_id = excluded.account_id, username = excluded.username;

INSERT INTO wallets (realm_id, member_id, wallet_key, chain, address, is_primary, verified_at, verified_on, linked_at) SELECT realms.realm_id, new.member_id, new.wallet_key, new.chain, new.address, new.is_primary, new.verified_at, new.verified_on, new.linked_at FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[], $8::text[], $9::bigint[]) AS new(member_id, wallet_key, chain, address, is_primary, verified_at, verified_on, linked_at)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, wallet_key) DO UPDATE SET member_id = excluded.member_id, chain = excluded.chain, address = excluded.address, is_primary = excluded.is_primary, verified_at = excluded.verified_at, verified_on = excluded.verified_on, linked_at = excluded.linked_at;

INSERT INTO challenges (realm_id, nonce, member_id, wallet_key, message, expires_at, used_at) SELECT realms.realm_id, new.nonce, new.member_id, new.wallet_key, new.message, new.expires_at, new.used_at FROM realms CROSS JOIN unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) AS new(nonce, member_id, wallet_key, message, expires_at, used_at)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, nonce) DO UPDATE SET member_id = excluded.member_id, wallet_key = excluded.wallet_key, message = excluded.message, expires_at = excluded.expires_at, used_at = excluded.used_at;

INSERT INTO point_kinds (realm_id, realm_point_id, name, symbol, is_default, is_transferable, minimum_balance, maximum_balance, archived) SELECT realms.realm_id, new.realm_point_id, new.name, new.symbol, new.is_default, new.is_transferable, new.minimum_balance, new.maximum_balance, new.archived FROM realms CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::smallint[], $6::smallint[], $7::bigint[], $8::bigint[], $9::smallint[]) AS new(realm_point_id, name, symbol, is_default, is_transferable, minimum_balance, maximum_balance, archived)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, realm_point_id) DO UPDATE SET name = excluded.name, symbol = excluded.symbol, is_default = excluded.is_default, is_transferable = excluded.is_transferable, minimum_balance = excluded.minimum_balance, maximum_balance = excluded.maximum_balance, archived = excluded.archived;

INSERT INTO api_keys (realm_id, key_id, name, scopes, secret_hash, created_at, expires_at, revoked_at, replaced_by) SELECT realms.realm_id, new.key_id, new.name, new.scopes, new.secret_hash, new.created_at, new.expires_at, new.revoked_at, new.replaced_by FROM realms CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[]) AS new(key_id, name, scopes, secret_hash, created_at, expires_at, revoked_at, replaced_by)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, key_id) DO UPDATE SET name = excluded.name, scopes = excluded.scopes, secret_hash = excluded.secret_hash, created_at = excluded.created_at, expires_at = excluded.expires_at, revoked_at = excluded.revoked_at, replaced_by = excluded.replaced_by;

INSERT INTO assets (realm_id, asset_id, chain, standard, contract, token_id, symbol) SELECT realms.realm_id, new.asset_id, new.chain, new.standard, new.contract, new.token_id, new.symbol FROM realms CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS new(asset_id, chain, standard, contract, token_id, symbol)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, asset_id) DO UPDATE SET chain = excluded.chain, standard = excluded.standard, contract = excluded.contract, token_id = excluded.token_id, symbol = excluded.symbol;

DELETE FROM accounts WHERE realm_id = $1 AND account_key = ANY ($2::text[]);

DELETE FROM wallets WHERE realm_id = $1 AND wallet_key = ANY ($2::text[]);

DELETE FROM challenges WHERE realm_id = $1 AND nonce = ANY ($2::text[]);

DELETE FROM assets WHERE realm_id = $1 AND asset_id = ANY ($2::text[]);

INSERT INTO entries (realm_id, member_id, realm_point_id, seq, type, balance) SELECT realms.realm_id, new.* FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[]) new
     WHERE realms.realm_id = $1;

INSERT INTO movements (realm_id, type, seq, realm_point_id) SELECT realms.realm_id, new.* FROM realms CROSS JOIN unnest($2::text[], $3::bigint[], $4::text[]) new
     WHERE realms.realm_id = $1;

INSERT INTO standings (realm_id, leaderboard, member_id, score, moved_at) SELECT realms.realm_id, new.* FROM realms CROSS JOIN unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) new
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, leaderboard, member_id)
       DO UPDATE SET score = excluded.score, moved_at = excluded.moved_at;

DELETE FROM standings s USING unnest($2::text[], $3::bigint[]) AS gone(leaderboard, id)
     WHERE s.realm_id = $1 AND s.leaderboard = gone.leaderboard AND s.member_id = gone.id;

INSERT INTO rank_buckets (realm_id, leaderboard, lower, count, split_at) SELECT realms.realm_id, $2, new.* FROM realms CROSS JOIN unnest($3::bigint[], $4::bigint[], $5::bigint[]) new
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, leaderboard, lower)
       DO UPDATE SET count = excluded.count, split_at = excluded.split_at;

INSERT INTO member_names (realm_id, member_id, username, display_name) SELECT realms.realm_id, new.* FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::text[]) new
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, member_id)
      DO UPDATE SET username = excluded.username, display_name = excluded.display_name;

INSERT INTO member_words (realm_id, word, member_id, others) SELECT realms.realm_id, new.* FROM realms CROSS JOIN unnest($2::text[], $3::bigint[], $4::text[]) new
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, word, member_id) DO UPDATE SET others = excluded.others;

DELETE FROM member_words s USING unnest($2::text[], $3::bigint[]) AS gone(word, id)
     WHERE s.realm_id = $1 AND s.word = gone.word AND s.member_id = gone.id;

INSERT INTO daily_totals (realm_id, day, realm_point_id, records, issued, spent, opened, held) SELECT realms.realm_id, new.* FROM realms CROSS JOIN unnest($2::bigint[], $3::text[], $4::bigint[],
       $5::text[], $6::text[], $7::text[], $8::text[]) new
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, day, realm_point_id) DO UPDATE SET records = excluded.records,
       issued = excluded.issued, spent = excluded.spent, opened = excluded.opened,
       held = excluded.held;

DELETE FROM webhooks WHERE realm_id = $1 AND webhook_id = ANY ($2::text[]);

INSERT INTO webhooks (realm_id, webhook_id, url, types, description, created_at, updated_at, paused_at, pause_reason, secret, previous_secret, previous_until, start_seq, start_after) SELECT realms.realm_id, new.webhook_id, new.url, new.types, new.description, new.created_at, new.updated_at, new.paused_at, new.pause_reason, new.secret, new.previous_secret, new.previous_until, new.start_seq, new.start_after FROM realms CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::bigint[], $13::bigint[], $14::bigint[]) AS new(webhook_id, url, types, description, created_at, updated_at, paused_at, pause_reason, secret, previous_secret, previous_until, start_seq, start_after)
     WHERE realms.realm_id = $1 ON CONFLICT (realm_id, webhook_id) DO UPDATE SET url = excluded.url, types = excluded.types, description = excluded.description, created_at = excluded.created_at, updated_at = excluded.updated_at, paused_at = excluded.paused_at, pause_reason = excluded.pause_reason, secret = excluded.secret, previous_secret = excluded.previous_secret, previous_until = excluded.previous_until, start_seq = excluded.start_seq, start_after = excluded.start_after;

INSERT INTO webhook_deliveries (realm_id, webhook_id, delivery_id, seq, type, attempt, at, latency_ms, status, answer, error) SELECT realms.realm_id, new.webhook_id, new.delivery_id, new.seq, new.type, new.attempt, new.at, new.latency_ms, new.status, new.answer, new.error FROM realms CROSS JOIN unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::text[]) AS new(webhook_id, delivery_id, seq, type, attempt, at, latency_ms, status, answer, error)
     WHERE realms.realm_id = $1 ON CONFLICT DO NOTHING;
