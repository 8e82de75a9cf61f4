import type { Challenge } from '../../domain/model.ts';
import type { QueryParams, WalletHolder } from '../../domain/queries.ts';
import { walletView } from '../../domain/rules/views.ts';
import { rowWithKey } from '../rows.ts';
import { all, firstOrNull, query, together } from '../statement.ts';
import { tables } from '../tables.ts';
import { askPresent, askWallets, findable } from './members.ts';
import type { Readers } from './readers.ts';

interface Holder {
  place: number;
  memberId: string;
  verified: 0 | 1;
}

const find = {
  holders: query<Holder, { realmId: string; wallets: readonly string[] }>(
    ({ list, each }) =>
      `SELECT wanted.place, CAST(w.member_id AS TEXT) AS "memberId",
         CASE WHEN w.verified_at IS NULL THEN 0 ELSE 1 END AS verified
       FROM ${list(':wallets', 'text', 'wanted')}
       ${each('wallets', 'w', 'w.realm_id = :realmId AND w.wallet_key = wanted.value')}`,
  ),
  challenge: rowWithKey<Challenge, QueryParams<'challenge'>>(
    tables.challenges,
    `AND (SELECT m.status <> 'removed' FROM members m
            WHERE m.realm_id = :realmId AND m.member_id = challenges.member_id)
       AND (SELECT 1 FROM idempotency_keys i
            WHERE i.realm_id = :realmId AND i.idempotency_key = :idempotencyKey) IS NULL`,
  ),
};

export const walletReaders = {
  *walletsOf({ realmId, memberId }) {
    const [[present], wallets] = yield* together(
      askPresent(realmId, memberId),
      askWallets(realmId, memberId),
    );
    return present ? wallets.map(({ row }) => walletView(row)) : null;
  },
  *walletHolders({ realmId, wallets }) {
    const found = yield* all(find.holders, { realmId, wallets: wallets.map(findable) });
    const holders = new Array<WalletHolder | null>(wallets.length).fill(null);
    for (const { place, memberId, verified } of found) {
      holders[place] = { memberId, verified: verified === 1 };
    }
    return holders;
  },
  challenge: (which) => firstOrNull(find.challenge, which),
} satisfies Partial<Readers>;
