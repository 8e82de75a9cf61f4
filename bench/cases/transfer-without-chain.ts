import { DatabaseSync } from 'node:sqlite';
import type { Case, Finding } from './case.ts';
import { transfer } from './transfer.ts';

/** The same on a service whose journal is not hashed: shows what the hash chain costs. */
export const transferWithoutChain: Case = {
  ...transfer,
  name: 'durable transfer, no hash chain',
  preload: 'without-chain',
  connections: [64],
  targets: {},
  watch:
    async ({ database = '' }) =>
    async () => [hasNoHashes(database)],
};

/** Were the hashes still made, the comparison would show nothing. */
function hasNoHashes(path: string): Finding {
  const db = new DatabaseSync(path, { readOnly: true });
  const sql = 'SELECT count(DISTINCT hash) AS hashes, count(*) AS records FROM journal';
  const { hashes, records } = db.prepare(sql).get() as { hashes: number; records: number };
  db.close();
  return {
    claim: 'the service without the hash chain made no hashes',
    ok: hashes === 1,
    detail: `${records.toLocaleString('en')} records`,
  };
}
