import { type Loss, restoreBackup } from '../backups.ts';
import { progressLine, sqliteDatabase, total } from './backup.ts';
import { define } from './command.ts';
import { counted, Progress } from './progress.ts';

/** Realms that a refusal lists, which is one line. */
const MAX_LISTED = 5;

export const restore = define({
  summary: 'Puts a backup in the place of the SQLite database.',
  notes:
    'Checks the backup, copies it, verifies the copy, and only then puts it in place. Stop the\n' +
    'service first. An existing database is replaced only with --force, and then kept under\n' +
    'another name; without it, this says what the database has beyond the backup. Members that\n' +
    'were erased since are back: erase those that it lists again.',
  args: ['file'],
  options: { force: { help: 'Replace the existing database.' } },
  example: 'npx realmkeep restore backups/realmkeep-2026-11-16T03-00-00.000Z.db --force',
  async run({ args, values, print }) {
    const database = sqliteDatabase('Restore it with pg_restore');
    using progress = new Progress();
    const { realms, lost, replaced } = await restoreBackup(args.file, database, {
      force: values.force ?? false,
      describe: refusalText,
      onProgress: progressLine(progress),
    });
    const content = `${counted(realms.length, 'realm')} with ${counted(total(realms), 'record')}`;
    const lines = [
      `Restored ${content} to ${database.shown}, and verified them.`,
      ...(replaced === null ? [] : [`The replaced database is now ${replaced}.`]),
      ...(replaced === null ? [] : lossLines(lost)),
      ...erasedLines(lost ?? []),
    ];
    print({ text: lines.join('\n'), json: { realms, lost, replaced } });
  },
});

const UNKNOWN =
  'It is damaged, so what it has beyond the backup is unknown, and who was erased since.';

function lossLines(lost: Loss[] | null): string[] {
  if (lost === null) return [UNKNOWN];
  if (lost.length === 0) return ['The backup has every record that it has.'];
  return [`It has ${counted(total(lost), 'record')} that the backup lacks:`, ...lost.map(line)];
}

function refusalText(lost: Loss[] | null): string {
  if (lost === null) return UNKNOWN;
  if (lost.length === 0) return 'The backup has every record that it has.';
  const rest = lost.length - MAX_LISTED;
  const listed = lost.slice(0, MAX_LISTED).map(line).join('; ');
  const more = rest > 0 ? `; and ${counted(rest, 'more realm')}` : '';
  const erased = lost.reduce((sum, each) => sum + each.erased.length, 0);
  const back = erased === 0 ? '' : ` ${counted(erased, 'member')} erased since would be back.`;
  const records = counted(total(lost), 'record');
  return `It has ${records} that the backup lacks (${listed}${more}).${back}`;
}

/** The commands that erase again whom the backup has brought back. */
function erasedLines(lost: Loss[]): string[] {
  const commands = lost.flatMap(({ realmId, erased }) =>
    erased.map((memberId) => `npx realmkeep member erase ${realmId} ${memberId} --forfeit`),
  );
  if (commands.length === 0) return [];
  return ['Members that were erased since the backup are back. To erase them again:', ...commands];
}

function line({ realmId, records, from, since }: Loss): string {
  const lost = counted(records, 'record') + (since === null ? '' : ` since ${since}`);
  return `${realmId}: ${lost}, from number ${from} on`;
}
