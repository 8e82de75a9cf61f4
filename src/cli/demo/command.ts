import { integer } from '../../config/parsers.ts';
import { define, parseOption } from '../command.ts';

const DEFAULT_MEMBERS = 1_000;
const MIN_MEMBERS = 10;
const MAX_MEMBERS = 1_000_000;

export const demo = define({
  summary: 'Starts the service with a realm of invented members.',
  notes:
    'The realm has a month of history, which takes some seconds to write, and some minutes\n' +
    'for a million members. Its database is in a temporary folder that is removed at the end.\n' +
    'If the port is in use, it picks a free one.',
  options: {
    members: {
      value: '<n>',
      help: `Number of members, ${MIN_MEMBERS} to ${MAX_MEMBERS}. Default: ${DEFAULT_MEMBERS}.`,
    },
    keep: { help: 'Do not remove the folder at the end.' },
  },
  example: 'npx realmkeep demo',
  async run({ values: { members = String(DEFAULT_MEMBERS), keep = false }, print }) {
    const count = parseOption('--members', members, integer(MIN_MEMBERS, MAX_MEMBERS));
    // Loaded here, so that other commands start without the web server.
    const { runDemo } = await import('./run.ts');
    await runDemo(count, keep, print);
  },
});
