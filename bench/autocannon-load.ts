import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { randomPair } from './community.ts';
import { fill, type Load, type LoadResult } from './load.ts';

/** One load in its own process, for machines without wrk. Its argument is the file of the load. */
const load = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load;
const { url, request, members, realms, connections, seconds } = load;
const randomRealm = (): string => realms[Math.floor(Math.random() * realms.length)] ?? '';

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  requests: [
    {
      setupRequest: (raw) => ({
        ...raw,
        ...fill(request, { realm: randomRealm(), ...randomPair(members), key: randomUUID() }),
      }),
    },
  ],
});

const counted: LoadResult = {
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
