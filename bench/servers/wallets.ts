import { openForWriting } from '../../src/store/sqlite/database.ts';
import { transaction } from '../../src/store/sqlite/driver.ts';
import { idAt } from '../community.ts';
import { seedLargeRealm } from '../large-realm.ts';
import { walletAt, walletRealm } from '../wallets.ts';
import { database, progress, serve } from './service.ts';

/** The service with a realm of a million wallets, a hundred to a member, half of them verified. */
const { realmId, members, wallets } = walletRealm;
const key = await seedLargeRealm(database, realmId, members, progress);
linkWallets();
await serve(async () => ({ [realmId]: key }));

/** Written directly, without checksums: through the rules it would take minutes. */
function linkWallets(): void {
  progress(`seeding ${realmId}: ${wallets} wallets`);
  const db = openForWriting(database);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -524288');
  const put = db.prepare(
    `INSERT INTO wallets
       (realm_id, wallet_key, member_id, chain, address, is_primary, verified_at, linked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const rows = Array.from({ length: wallets }, (_, index) => ({ index, address: walletAt(index) }));
  // In the order of the table: in random order it takes three times as long.
  rows.sort((a, b) => (a.address < b.address ? -1 : 1));
  const at = Date.now();
  transaction(db, () => {
    for (const { index, address } of rows) {
      const isPrimary = Number(index < members);
      const verifiedAt = index % 4 === 0 ? at : null;
      const memberId = idAt(index % members);
      put.run(realmId, address, memberId, 'eip155', address, isPrimary, verifiedAt, at);
    }
  });
  db.close();
}
