import { define, UsageError } from '../command.ts';

const DEFAULT_MEMBERS = 1_000;
const MIN_MEMBERS = 10;
const MAX_MEMBERS = 10_000;

export const demo = define({
  summary: 'Starts the service with a throwaway realm of invented members.',
  notes:
    'The realm has a month of history. Its database is in a temporary folder that is removed at\n' +
    'the end. If the port is in use, the demo picks a free one.',
  args: [],
  options: {
    members: {
      type: 'string',
      value: '<n>',
      help: `Number of members, ${MIN_MEMBERS} to ${MAX_MEMBERS}. Default: ${DEFAULT_MEMBERS}.`,
    },
    keep: { type: 'boolean', help: 'Do not remove the folder at the end.' },
  },
  example: 'realmkeep demo',
  async run({ values: { members, keep = false }, print }) {
    const count = memberCount(members);
    // Loaded here, so that other commands start without the web server.
    const { runDemo } = await import('./run.ts');
    await runDemo(count, keep, print);
  },
});

function memberCount(typed = String(DEFAULT_MEMBERS)): number {
  const count = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
  if (count >= MIN_MEMBERS && count <= MAX_MEMBERS) return count;
  throw new UsageError(`--members must be an integer from ${MIN_MEMBERS} to ${MAX_MEMBERS}.`);
}
