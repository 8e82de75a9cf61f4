import { define } from '../attack.ts';

/** 640 kB on each of 250 sockets: 160 MB in all. */
export const pipelinedReadyz = define({
  name: 'pipelined-readyz',
  description: '250 sockets, each with 13,600 pipelined GET /readyz without a key (160 MB)',
  full: { sockets: 250, requests: 13_600 },
  short: { sockets: 25, requests: 400 },
  run: (attacker, { sockets, requests }) =>
    attacker.pipelines(sockets, requests, attacker.request('GET', '/readyz', { key: null })),
});
