import { type Difference, type Loss, restoreBackup } from '../storage/backups.ts';
import { progressLine, sqliteDatabase, total } from './backup.ts';
import { define } from './command.ts';
import { counted, Progress } from './terminal.ts';

/** Realms that a line lists; --json has all of them. */
const MAX_LISTED = 5;

export const restore = define({
  summary: 'Puts a backup in the place of the SQLite database.',
  notes:
    'Checks the backup, copies it, verifies the copy, and only then puts it in place. Stop the\n' +
    'service first. An existing database is replaced only with --force, and then kept under\n' +
    'another name; without it, this says what the database has beyond the backup. What was\n' +
    'erased, revoked or deleted since is back: it is listed, with what to do about it.',
  args: ['file'],
  options: { force: { help: 'Replace the existing database.' } },
  example: 'npx realmkeep restore backups/realmkeep-2026-11-16T03-00-00.000Z.db --force',
  async run({ args, values, print }) {
    const database = sqliteDatabase('Restore it with pg_restore');
    using progress = new Progress();
    const { realms, difference, replaced } = await restoreBackup(args.file, database, {
      force: values.force ?? false,
      describe: refusalText,
      onProgress: progressLine(progress),
    });
    const content = `${counted(realms.length, 'realm')} with ${counted(total(realms), 'record')}`;
    const lines = [
      `Restored ${content} to ${database.shown}, and verified them.`,
      ...(replaced === null ? [] : [`The replaced database is now ${replaced}.`]),
      ...(replaced === null ? [] : [difference === null ? UNKNOWN : lostText(difference.lost)]),
      ...(difference === null ? [] : backLines(difference)),
    ];
    const found = difference ?? { lost: null, deletedRealms: null, unknownRealms: null };
    print({ text: lines.join('\n'), json: { realms, ...found, replaced } });
  },
});

const UNKNOWN =
  'It is damaged, so what it has beyond the backup is unknown, and what was erased, revoked or ' +
  'deleted since.';

function refusalText(difference: Difference | null): string {
  if (difference === null) return UNKNOWN;
  const { lost, deletedRealms, unknownRealms } = difference;
  const sum = (of: 'erased' | 'revokedKeys') => lost.reduce((n, each) => n + each[of].length, 0);
  const back = [
    [counted(sum('erased'), 'member'), 'erased since would be back.'],
    [counted(sum('revokedKeys'), 'key'), 'revoked or replaced since would be valid again.'],
    [counted(deletedRealms.length, 'realm'), 'deleted since would be back.'],
    [counted(unknownRealms.length, 'realm'), 'that it does not have would be added.'],
  ].flatMap(([count, rest]) => (count?.startsWith('0 ') ? [] : [`${count} ${rest}`]));
  return [lostText(lost), ...back].join(' ');
}

function lostText(lost: Loss[]): string {
  if (lost.length === 0) return 'The backup has every record that it has.';
  const rest = lost.length - MAX_LISTED;
  const listed = lost.slice(0, MAX_LISTED).map(line).join('; ');
  const more = rest > 0 ? `; and ${counted(rest, 'more realm')}` : '';
  return `It has ${counted(total(lost), 'record')} that the backup lacks (${listed}${more}).`;
}

/** What the backup has brought back, with what erases, revokes and deletes it again. */
function backLines({ lost, deletedRealms, unknownRealms }: Difference): string[] {
  const erasing = lost.flatMap(({ realmId, erased }) =>
    erased.map((memberId) => `npx realmkeep member erase ${realmId} ${memberId} --forfeit`),
  );
  const revoking = lost.flatMap(({ realmId, revokedKeys }) =>
    revokedKeys.map((keyId) => `npx realmkeep key revoke ${realmId} ${keyId}`),
  );
  const deleting = deletedRealms.map((id) => `DELETE /api/v4/realms/${id}?confirm=${id}`);
  return [
    ...under('Members that were erased since the backup are back. To erase them again:', erasing),
    ...under('Keys that were revoked or replaced since are valid again. To revoke them:', revoking),
    ...under('Realms that were deleted since are back. To delete them, send:', deleting),
    ...(unknownRealms.length === 0 ? [] : [unknownText(unknownRealms)]),
  ];
}

const unknownText = (realms: string[]): string =>
  `Realms that the database did not have: ${realms.join(', ')}. ` +
  'They are newer than it, or were deleted from it.';

const under = (heading: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines];

function line({ realmId, records, from, since }: Loss): string {
  const lost = counted(records, 'record') + (since === null ? '' : ` since ${since}`);
  return `${realmId}: ${lost}, from number ${from} on`;
}
