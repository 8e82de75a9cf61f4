import { readConfig } from '../config.ts';
import { migrateDatabase } from '../service.ts';
import { define } from './command.ts';

export const migrate = define({
  summary: "Brings the database to today's tables.",
  notes: 'A start of the service does the same; this is for doing it beforehand.',
  args: [],
  options: {},
  example: 'realmkeep migrate',
  async run({ say }) {
    const steps = await migrateDatabase(readConfig());
    const taken = steps === 1 ? 'one step was taken' : `${steps} steps were taken`;
    const text = steps === 0 ? 'nothing was left to do' : taken;
    say({ text: `The database is up to date: ${text}.`, json: { steps } });
  },
});
