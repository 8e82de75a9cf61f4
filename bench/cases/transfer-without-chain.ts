import { DatabaseSync } from 'node:sqlite';
import type { Case, Finding } from './case.ts';
import { transfer } from './transfer.ts';

/** The same on a service whose journal is not hashed: shows the cost of the hash chain. */
export const transferWithoutChain: Case = {
  ...transfer,
  name: 'durable transfer, no hash chain',
  preload: 'without-chain',
  connections: [64],
  targets: {},
  check:
    async ({ database = '' }) =>
    async () => [hasNoHashes(database)],
};

/** If the hashes were still computed, the comparison would be meaningless. */
function hasNoHashes(path: string): Finding {
  const db = new DatabaseSync(path, { readOnly: true });
  const sql = 'SELECT count(DISTINCT hash) AS hashes, count(*) AS records FROM journal';
  const { hashes, records } = db.prepare(sql).get() as { hashes: number; records: number };
  db.close();
  return {
    claim: 'the service without the hash chain computed no hashes',
    ok: hashes === 1,
    detail: `${records.toLocaleString('en')} records`,
  };
}
