import { define } from '../attack.ts';
import { LIST, withMetadata } from './members.ts';

export const pipelinedLists = define({
  name: 'pipelined-lists',
  description: 'one socket with 1,200 pipelined lists of 500 members with 7 kB of metadata',
  full: { members: 600, requests: 1_200 },
  short: { members: 100, requests: 60 },
  prepare: (seeder, { members }) => seeder.members(members, () => withMetadata(7_000)),
  run: (attacker, { requests }) =>
    attacker.pipelines(1, requests, attacker.request('GET', attacker.path(LIST))),
});
