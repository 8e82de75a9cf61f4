import { readFileSync } from 'node:fs';
import { type Command, readArguments, type Said, seeHelp, UsageError } from './command.ts';
import { demo } from './demo/demo.ts';
import { failureOf } from './errors.ts';
import { helpOf, overview } from './help.ts';
import { checkJournal } from './journal/check.ts';
import { exportJournal } from './journal/export.ts';
import { createKey } from './key-create.ts';
import { listKeys } from './key-list.ts';
import { revokeKey } from './key-revoke.ts';
import { rotateKey } from './key-rotate.ts';
import { migrate } from './migrate.ts';
import { createRealm } from './realm-create.ts';
import { serve } from './serve.ts';
import { verify } from './verify.ts';

/** The whole command line on one screen. */
export const commands: Record<string, Command> = {
  serve,
  demo,
  'realm create': createRealm,
  'key create': createKey,
  'key list': listKeys,
  'key rotate': rotateKey,
  'key revoke': revokeKey,
  'journal export': exportJournal,
  'journal check': checkJournal,
  verify,
  migrate,
};

/** Where words go: results to `out`, everything else to `err`. */
export interface Outlets {
  out(text: string): void;
  err(text: string): void;
}

/** Does what was typed and ends the process. */
export async function main(argv: string[]): Promise<void> {
  const { stdout, stderr } = process;
  // A reader that has seen enough, such as `head`, is no failure; a full disk is one.
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    stderr.write(`realmkeep: ${message}.\n`);
    process.exit(1);
  });
  const exitCode = await perform(argv, {
    out: (text) => stdout.write(`${text}\n`),
    err: (text) => stderr.write(`${text}\n`),
  });
  // Once everything is written; whatever threads or sockets a failure left behind.
  stdout.write('', (error) => {
    if (!error) process.exit(exitCode);
  });
}

/** Does what was typed; answers 0, 1 (refused or failed), 2 (typed or set wrongly) or 130. */
export async function perform(argv: string[], { out, err }: Outlets): Promise<number> {
  const isJson = argv.includes('--json');
  let exitCode = 0;
  const say = ({ text, json }: Said): void => {
    out(isJson ? JSON.stringify(json) : text);
    // What was checked and found wrong is a result, but no success.
    if (json.ok === false) exitCode = 1;
  };
  try {
    await dispatch(argv, say, out);
    return exitCode;
  } catch (error) {
    const { exitCode, code, detail, extra } = failureOf(error);
    err(`realmkeep: ${detail}`);
    if (isJson) out(JSON.stringify({ error: { code, detail, ...extra } }));
    return exitCode;
  }
}

async function dispatch(argv: string[], say: (said: Said) => void, out: Outlets['out']) {
  const [first = '--help', second = ''] = argv;
  if (['--help', '-h', 'help'].includes(first)) return out(overview(commands));
  if (['--version', '-v'].includes(first)) {
    return say({ text: version(), json: { version: version() } });
  }
  if (first.startsWith('-')) {
    throw new UsageError(`There is no option ${first} before a command. ${seeHelp('')}`);
  }
  const name = [`${first} ${second}`, first].find((words) => Object.hasOwn(commands, words));
  const command = commands[name ?? ''];
  if (name === undefined || command === undefined) return out(helpOfGroup(first, second));
  const words = argv.slice(name.split(' ').length);
  const typed = readArguments(name, repeated(command, words), words);
  if (typed.values.help) return out(helpOf(name, command));
  await command.run({ ...typed, say });
}

/** An argument named "<name>..." comes any number of times, and options beside it have no value. */
function repeated(command: Command, words: string[]): Command {
  if (!command.args[0]?.endsWith('...')) return command;
  const given = words.filter((word) => !word.startsWith('-'));
  return { ...command, args: given.map((_, index) => `${command.args[0]}${index}`) };
}

/** `key --help` lists the commands of keys; anything else here is no command. */
function helpOfGroup(first: string, second: string): string {
  const names = Object.keys(commands).filter((name) => name.startsWith(`${first} `));
  if (names.length === 0) throw new UsageError(`There is no command "${first}". ${seeHelp('')}`);
  if (second === '--help' || second === '-h') return overview(commands, `${first} `);
  throw new UsageError(`The commands of "${first}" are: ${names.join(', ')}. ${seeHelp(first)}`);
}

function version(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
}
