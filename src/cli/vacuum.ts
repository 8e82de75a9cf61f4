import type { ErasingRealm } from '../domain/queries.ts';
import { unfinishedErasures, vacuumDatabase } from '../storage/storage.ts';
import { megabytes } from './backup.ts';
import { define } from './command.ts';
import { counted, Progress } from './terminal.ts';
import { existingDatabase } from './with-ledger.ts';

const MAX_LISTED = 100;

export const vacuum = define({
  summary: 'Rewrites the database without what deleted rows left.',
  notes:
    'After members were erased, this removes what is left of them in unused space of the\n' +
    'files. It works while a service runs, but its writes wait, or are refused for a while, so\n' +
    'choose a quiet hour. SQLite needs twice as much free space as the database takes.\n' +
    'docs/erasure.md says what else to think of: backups, exports and logs.',
  example: 'npx realmkeep vacuum',
  async run({ print }) {
    const database = await existingDatabase();
    using progress = new Progress();
    progress.show('Rewriting the database');
    const unfinished = await unfinishedErasures(database, MAX_LISTED);
    const { bytes, tables } = await vacuumDatabase(database, (table) =>
      progress.show(`Rewriting ${table}`),
    );
    const done = bytes === null ? counted(tables.length, 'table') : megabytes(bytes);
    const lines = [`Rewrote ${database.shown}: ${done}.`, ...unfinished.map(line)];
    print({ text: lines.join('\n'), json: { bytes, tables, unfinished } });
  },
});

/** What is still to be erased was only moved. */
const line = ({ realmId, members }: ErasingRealm): string =>
  `${realmId}: ${counted(members, 'member')} still to be erased. Run this again afterwards.`;
