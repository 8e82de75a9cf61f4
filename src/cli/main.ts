import { readFileSync } from 'node:fs';
import { jsonText } from '../contract/sums.ts';
import { backup, restore, vacuum } from './backup.ts';
import {
  type Command,
  helpOf,
  overview,
  overviewOf,
  type Result,
  readArguments,
  seeHelp,
  UsageError,
} from './command.ts';
import { demo } from './demo/command.ts';
import { linkDiscord, runDiscord, unlinkDiscord } from './discord.ts';
import { doctor } from './doctor.ts';
import { failureOf } from './errors.ts';
import { exportRealm } from './export.ts';
import { importMembers } from './import/command.ts';
import { checkJournal, exportJournal } from './journal.ts';
import { addPoints, eraseMember, listMembers, showMember } from './members.ts';
import { migrate } from './migrate.ts';
import {
  createKey,
  createRealm,
  listKeys,
  listRealms,
  revokeKey,
  rotateKey,
  setRealm,
  showRealm,
} from './realms.ts';
import { consoleLink, serve } from './serve.ts';
import { verify } from './verify.ts';

/** The whole command line. */
export const commands: Record<string, Command> = {
  serve,
  demo,
  'realm create': createRealm,
  'realm list': listRealms,
  'realm show': showRealm,
  'realm set': setRealm,
  'key create': createKey,
  'key list': listKeys,
  'key rotate': rotateKey,
  'key revoke': revokeKey,
  'member show': showMember,
  'member list': listMembers,
  'member erase': eraseMember,
  'points add': addPoints,
  import: importMembers,
  export: exportRealm,
  'journal export': exportJournal,
  'journal check': checkJournal,
  'discord link': linkDiscord,
  'discord unlink': unlinkDiscord,
  discord: runDiscord,
  verify,
  doctor,
  backup,
  restore,
  'console-link': consoleLink,
  migrate,
  vacuum,
};

/** Where output goes: results to `out`, everything else to `err`. */
interface Outlets {
  out(text: string): void;
  err(text: string): void;
}

/** Runs the command line and ends the process. */
export async function main(argv: string[]): Promise<void> {
  const { stdout, stderr } = process;
  // A reader that closes the pipe early, such as `head`, is not a failure; a full disk is.
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    stderr.write(`realmkeep: ${message}.\n`);
    process.exit(1);
  });
  const exitCode = await perform(argv, {
    out: (text) => stdout.write(`${text}\n`),
    err: (text) => stderr.write(`${text}\n`),
  });
  // Once everything is written, even if a failure left threads or sockets open.
  stdout.write('', (error) => {
    if (!error) process.exit(exitCode);
  });
}

/** Runs the command line; returns 0, 1 (failed), 2 (wrong arguments or settings) or 130. */
export async function perform(argv: string[], { out, err }: Outlets): Promise<number> {
  const isJson = argv.includes('--json');
  let exitCode = 0;
  const print = ({ text, json }: Result): void => {
    out(isJson ? jsonText(json) : text);
    // A check that finds a fault has a result, but did not succeed.
    if (json.ok === false) exitCode = 1;
  };
  try {
    await dispatch(argv, print, out);
    return exitCode;
  } catch (error) {
    const { exitCode, code, detail, extra } = failureOf(error);
    err(`realmkeep: ${detail}`);
    if (isJson) out(JSON.stringify({ error: { code, detail, ...extra } }));
    return exitCode;
  }
}

async function dispatch(
  argv: string[],
  print: (result: Result) => void,
  out: Outlets['out'],
): Promise<void> {
  const [first = '--help', second = ''] = argv;
  if (['--help', '-h', 'help'].includes(first)) return out(overview(commands));
  if (['--version', '-v'].includes(first)) {
    return print({ text: version(), json: { version: version() } });
  }
  if (first.startsWith('-')) {
    throw new UsageError(`Unknown option ${first}. ${seeHelp('')}`);
  }
  const name = [`${first} ${second}`, first].find((words) => Object.hasOwn(commands, words));
  const command = commands[name ?? ''];
  if (name === undefined || command === undefined) return out(helpOfGroup(first, second));
  const words = argv.slice(name.split(' ').length);
  const typed = readArguments(name, command, words);
  if (typed.values.help) return out(helpOf(name, command));
  await command.run({ ...typed, print });
}

/** `key --help` lists the commands that start with "key"; anything else is an error. */
function helpOfGroup(first: string, second: string): string {
  const group = Object.entries(commands).filter(([name]) => name.startsWith(`${first} `));
  const names = group.map(([name]) => name);
  if (names.length === 0) throw new UsageError(`Unknown command "${first}". ${seeHelp('')}`);
  if (second === '--help' || second === '-h') {
    return overviewOf(first, Object.fromEntries(group));
  }
  throw new UsageError(`Use one of: ${names.join(', ')}. ${seeHelp(first)}`);
}

function version(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
}
