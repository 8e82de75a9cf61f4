import { define } from '../attack.ts';
import { MAX_PIPELINED } from './batch.ts';

export const pipelinedReadyz = define({
  name: 'pipelined-readyz',
  description: '250 sockets, each with 16 pipelined GET /readyz without a key',
  full: { sockets: 250, requests: MAX_PIPELINED },
  short: { sockets: 25, requests: MAX_PIPELINED },
  run: (attacker, { sockets, requests }) =>
    attacker.pipelines(sockets, requests, attacker.request('GET', '/readyz', { key: null })),
});
