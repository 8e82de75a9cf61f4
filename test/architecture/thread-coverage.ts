import { Session } from 'node:inspector/promises';
import { workerData } from 'node:worker_threads';

/**
 * Preloaded into every thread of a service: reports which files of src/ the thread has run code of
 * since it was last asked. V8 counts calls per function, so a file that was only loaded is not
 * reported.
 */
export interface ThreadCoverage {
  /** `main`, or the role of a storage thread. */
  thread: string;
  files: string[];
}

const thread: string = workerData?.role ?? 'main';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const requests = new BroadcastChannel('coverage-requests');
const reports = new BroadcastChannel('coverage-reports');
for (const channel of [requests, reports]) channel.unref();
requests.onmessage = async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => /\/src\/(.*)$/.exec(url)?.[1] ?? []);
  const report: ThreadCoverage = { thread, files };
  reports.postMessage(report);
};
