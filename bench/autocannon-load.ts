import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { randomPair } from './community.ts';
import { type Counted, fill, type Load } from './load.ts';

/** One load as a process of its own, for machines without wrk. Its argument is a file with it. */
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
