import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { randomPair } from './community.ts';
import { type Counted, fill, type Load } from './load.ts';

/** One load as a process of its own, for machines without wrk: its only argument is the load. */
const { url, request, connections, seconds } = JSON.parse(process.argv[2] ?? '') as Load;

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  requests: [
    {
      setupRequest: (raw) => ({
        ...raw,
        ...fill(request, { ...randomPair(), key: randomUUID() }),
      }),
    },
  ],
});

const counted: Counted = {
  requests: result.requests.total,
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failures: {
    connection: result.errors - result.timeouts,
    timeout: result.timeouts,
    status: result.non2xx,
  },
};
console.log(JSON.stringify(counted));
