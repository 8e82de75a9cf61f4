import { setFlagsFromString } from 'node:v8';
import { TestService } from '../support/service.ts';
import type { ThreadCoverage } from './thread-coverage.ts';

/**
 * Prints the files of src/ that one ordinary transfer runs code of, from the socket to the answer.
 * Run with thread-coverage.ts preloaded. The key of the caller is known from the call before, and
 * what the service does by itself meanwhile is left out.
 */
const STORAGE_THREADS = 2;
const BY_ITSELF = [
  'jobs.ts',
  'ledger/gate.ts',
  'store/sqlite/store.ts',
  'store/sqlite/disk.ts',
  'store/webhooks.ts',
  'webhooks/sender.ts',
  // A key that has been cached for a second is looked up again.
  'domain/key-format.ts',
];
const [WARM_UP_CALLS, PATH_THREADS] = [20, ['main', 'writer']];

// Inlined functions would not be counted.
setFlagsFromString('--max-inlined-bytecode-size=0');

const requests = new BroadcastChannel('coverage-requests');
const reports = new BroadcastChannel('coverage-reports');

function takeCoverage(): Promise<ThreadCoverage[]> {
  const { promise, resolve } = Promise.withResolvers<ThreadCoverage[]>();
  const taken: ThreadCoverage[] = [];
  reports.onmessage = (event) => {
    taken.push((event as { data: ThreadCoverage }).data);
    if (taken.length === STORAGE_THREADS + 1) resolve(taken);
  };
  requests.postMessage('take');
  return promise;
}

const service = await TestService.start({ rateLimit: { perSecond: 100, burst: 200 } });
const realm = await service.realm('acme', { autoEnroll: true });
await realm.expect(201, 'POST', '/members', { body: { id: '1' } });
await realm.expect(201, 'POST', '/members', { body: { id: '2' } });
await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 100 } });
const transfer = (call: number) =>
  realm.send('PATCH', '/members/1/transfer', {
    body: { recipientId: '2', tokens: 1, description: 'Thanks!' },
    headers: { 'idempotency-key': `thanks-${call}` },
  });
for (let call = 1; call <= WARM_UP_CALLS; call++) await transfer(call);
await takeCoverage();
const { status } = await transfer(0);
const coverage = await takeCoverage();
for (const channel of [requests, reports]) channel.close();
await service.down();
await service.database.drop();

const files = coverage
  .filter(({ thread }) => PATH_THREADS.includes(thread))
  .flatMap((report) => report.files)
  .filter((file) => !BY_ITSELF.includes(file));
process.stdout.write(`${JSON.stringify({ status, files: [...new Set(files)].sort() })}\n`);
