import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { keyPaths, MAX_KEPT, readConfig, type SqliteAddress } from '../config/config.ts';
import { integer } from '../config/parsers.ts';
import type { ErasingRealm } from '../domain/queries.ts';
import {
  type Backup,
  backUpInto,
  backUpTo,
  type CopyProgress,
  type Difference,
  type Loss,
  NO_ROTATION,
  type Rotation,
  restoreBackup,
} from '../storage/backups.ts';
import { unfinishedErasures, vacuumDatabase } from '../storage/storage.ts';
import { define, parseOption, UsageError } from './command.ts';
import { interruption } from './signals.ts';
import { counted, grouped, Progress } from './terminal.ts';
import { existingDatabase } from './with-ledger.ts';

export const backup = define({
  summary: 'Copies the SQLite database, and verifies the copy.',
  notes:
    'The copy is of one instant, also while a service runs, and gets its name when it is\n' +
    'verified. In a folder each backup gets a name of its own, by time; a path that ends with\n' +
    '"/" is a folder, which is created. docs/backup.md describes what a backup contains, and\n' +
    'covers PostgreSQL.',
  args: ['file'],
  options: {
    keep: { value: '<n>', help: '<file> is a folder: delete all but the newest n backups in it.' },
  },
  example: 'npx realmkeep backup backups/ --keep 7',
  async run({ args, values, print }) {
    const keep =
      values.keep === undefined ? null : parseOption('--keep', values.keep, integer(1, MAX_KEPT));
    if (keep !== null && !isFolder(args.file)) {
      const advice = `Write ${args.file}/ to have it created, or leave out --keep.`;
      throw new UsageError(`--keep needs a folder, and ${args.file} is none. ${advice}`);
    }
    const database = sqliteDatabase('Back up PostgreSQL with pg_dump');
    const { rotation, ...made } = await makeBackup(args.file, database, keep);
    const lines = [backupText(made), ...rotationLines(rotation), keysText(database)];
    const { removed, fault: notRemoved } = rotation;
    print({ text: lines.join('\n'), json: { ...made, removed, notRemoved } });
  },
});

/** Backs up to a file or a folder. A signal interrupts it. */
export async function makeBackup(
  place: string,
  database: SqliteAddress,
  keep: number | null = null,
): Promise<Backup & { rotation: Rotation }> {
  using progress = new Progress();
  using interrupt = interruption('Interrupted, but the backup did not stop in time.');
  const watch = { onProgress: progressLine(progress), signal: interrupt.signal };
  return isFolder(place)
    ? await backUpInto({ folder: place, keep }, database, watch)
    : { ...(await backUpTo(place, database, watch)), rotation: NO_ROTATION };
}

export function backupText({ path, bytes, realms }: Backup): string {
  const content = `${counted(realms.length, 'realm')} with ${counted(total(realms), 'record')}`;
  return `Backed up ${content} to ${path} (${megabytes(bytes)}), and verified it.`;
}

const rotationLines = ({ removed, fault }: Rotation): string[] => [
  ...(removed.length === 0 ? [] : [`Deleted ${counted(removed.length, 'old backup')}.`]),
  ...(fault === null ? [] : [`Others could not be deleted, and take space: ${fault}.`]),
];

function keysText(database: SqliteAddress): string {
  const [root, secret] = Object.values(keyPaths(database)).map((path) => basename(path));
  return `Keep ${root} and ${secret}, too, but elsewhere: they are not in the backup.`;
}

/** Only a file can be backed up here; a server has its own means. */
export function sqliteDatabase(advice: string): SqliteAddress {
  const { database } = readConfig();
  if (database.kind === 'sqlite') return database;
  throw new UsageError(`DATABASE_URL names a PostgreSQL database. ${advice}: see docs/backup.md.`);
}

export const isFolder = (path: string): boolean =>
  path.endsWith('/') || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

const total = (realms: { records: number }[]): number =>
  realms.reduce((sum, { records }) => sum + records, 0);

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const progressLine =
  (progress: Progress) =>
  ({ step, done, total }: CopyProgress): void => {
    const verb = step === 'copying' ? 'Copying' : 'Verifying';
    const noun = step === 'copying' ? 'page' : 'record';
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    progress.show(`${verb}: ${percent} % of ${counted(total, noun)}`);
  };

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
    const { realms, endedSessions, difference, replaced } = await restoreBackup(
      args.file,
      database,
      {
        force: values.force ?? false,
        describe: refusalText,
        onProgress: progressLine(progress),
      },
    );
    const content = `${counted(realms.length, 'realm')} with ${counted(total(realms), 'record')}`;
    const lines = [
      `Restored ${content} to ${database.shown}, and verified them.`,
      ...(replaced === null ? [] : [`The replaced database is now ${replaced}.`]),
      ...(endedSessions === 0 ? [] : [`Ended ${signIns(endedSessions)} of the backup.`]),
      ...(replaced === null ? [] : [difference === null ? UNKNOWN : lostText(difference.lost)]),
      ...(difference === null ? [] : backLines(difference)),
      ...(replaced === null || difference === null ? CHECKS : []),
    ];
    const found = difference ?? { lost: null, deletedRealms: null, unknownRealms: null };
    print({ text: lines.join('\n'), json: { realms, endedSessions, ...found, replaced } });
  },
});

const signIns = (count: number): string =>
  count === 1 ? '1 session or one-time link' : `${grouped(count)} sessions and one-time links`;

/** Where there was nothing to compare with. */
const CHECKS = [
  'There is nothing to tell what was revoked, erased or deleted since: that is back. Check:',
  'npx realmkeep key list <realm>, and revoke what was revoked or replaced',
  'npx realmkeep realm list, and the members who asked to be erased (docs/erasure.md)',
];

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

const MAX_UNFINISHED = 100;

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
    const unfinished = await unfinishedErasures(database, MAX_UNFINISHED);
    const { bytes, tables } = await vacuumDatabase(database, (table) =>
      progress.show(`Rewriting ${table}`),
    );
    const done = bytes === null ? counted(tables.length, 'table') : megabytes(bytes);
    const lines = [`Rewrote ${database.shown}: ${done}.`, ...unfinished.map(unfinishedLine)];
    print({ text: lines.join('\n'), json: { bytes, tables, unfinished } });
  },
});

/** What is still to be erased was only moved. */
const unfinishedLine = ({ realmId, members }: ErasingRealm): string =>
  `${realmId}: ${counted(members, 'member')} still to be erased. Run this again afterwards.`;
