import { setFlagsFromString } from 'node:v8';
import { TestService } from '../support/service.ts';
import type { ThreadCoverage } from './thread-coverage.ts';

/**
 * Prints the files of src/ that an ordinary transfer runs code of, from the socket to the answer.
 * Run with thread-coverage.ts preloaded. The key of the caller is known from the call before. What
 * the service does by itself meanwhile is left out, as not every transfer meets it.
 */
const STORAGE_THREADS = 2;
const [WARM_UP_CALLS, CALLS, PATH_THREADS] = [20, 10, ['main', 'writer']];

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
const statuses = new Set<number>();
const paths: Set<string>[] = [];
for (let call = 1; call <= CALLS; call++) {
  statuses.add((await transfer(WARM_UP_CALLS + call)).status);
  const coverage = (await takeCoverage()).filter(({ thread }) => PATH_THREADS.includes(thread));
  paths.push(new Set(coverage.flatMap((report) => report.files)));
}
for (const channel of [requests, reports]) channel.close();
await service.down();
await service.database.drop();

const files = [...paths.reduce((common, path) => common.intersection(path))].sort();
process.stdout.write(`${JSON.stringify({ statuses: [...statuses], files })}\n`);
