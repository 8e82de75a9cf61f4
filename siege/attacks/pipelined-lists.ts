import { define } from '../attack.ts';
import { MAX_PIPELINED } from './batch.ts';
import { LIST, withMetadata } from './members.ts';

export const pipelinedLists = define({
  name: 'pipelined-lists',
  description: 'one socket with 16 pipelined lists of 500 members with 7 kB of metadata',
  full: { members: 600, requests: MAX_PIPELINED },
  short: { members: 100, requests: MAX_PIPELINED },
  prepare: (seeder, { members }) => seeder.members(members, () => withMetadata(7_000)),
  run: (attacker, { requests }) =>
    attacker.pipelines(1, requests, attacker.request('GET', attacker.path(LIST))),
});
