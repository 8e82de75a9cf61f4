import { readFileSync } from 'node:fs';
import { type Command, readArguments, type Said, seeHelp, UsageError } from './command.ts';
import { demo } from './demo.ts';
import { failureOf } from './failures.ts';
import { helpOf, overview } from './help.ts';
import { createKey } from './key-create.ts';
import { listKeys } from './key-list.ts';
import { revokeKey } from './key-revoke.ts';
import { rotateKey } from './key-rotate.ts';
import { migrate } from './migrate.ts';
import { createRealm } from './realm-create.ts';
import { serve } from './serve.ts';

/** The whole command line on one screen. */
export const commands: Record<string, Command> = {
  serve,
  demo,
  'realm create': createRealm,
  'key create': createKey,
  'key list': listKeys,
  'key rotate': rotateKey,
  'key revoke': revokeKey,
  migrate,
};

/** Does what was typed and ends the process with 0, 1 (refused or failed) or 2 (typed wrongly). */
export async function main(argv: string[]): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', () => process.exit(0));
  const isJson = argv.includes('--json');
  try {
    await dispatch(argv, isJson);
    end(0);
  } catch (error) {
    const { exitCode, code, detail, extra } = failureOf(error);
    console.error(`realmkeep: ${detail}`);
    if (isJson) print(JSON.stringify({ error: { code, detail, ...extra } }));
    end(exitCode);
  }
}

async function dispatch(argv: string[], isJson: boolean): Promise<void> {
  const say = ({ text, json }: Said): void => print(isJson ? JSON.stringify(json) : text);
  const [first = '--help', second = ''] = argv;
  if (['--help', '-h', 'help'].includes(first)) return print(overview(commands).trimEnd());
  if (['--version', '-v'].includes(first)) return say({ text: version(), json: { version: version() } });
  if (first.startsWith('-')) {
    throw new UsageError(`There is no option ${first} before a command. ${seeHelp('')}`);
  }
  const name = [`${first} ${second}`, first].find((words) => Object.hasOwn(commands, words));
  const command = commands[name ?? ''];
  if (name === undefined || command === undefined) return explainGroup(first, second);
  const typed = readArguments(name, command, argv.slice(name.split(' ').length));
  if (typed.values.help) return print(helpOf(name, command).trimEnd());
  await command.run({ ...typed, say });
}

/** `key --help` lists the commands of keys; anything else here is no command. */
function explainGroup(first: string, second: string): void {
  const names = Object.keys(commands).filter((name) => name.startsWith(`${first} `));
  if (names.length === 0) throw new UsageError(`There is no command "${first}". ${seeHelp('')}`);
  if (second === '--help' || second === '-h') {
    return print(overview(commands, `${first} `).trimEnd());
  }
  throw new UsageError(`The commands of "${first}" are: ${names.join(', ')}. ${seeHelp(first)}`);
}

function version(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Ends once everything said is written, whatever threads or sockets a failure left behind. */
const end = (exitCode: number): void =>
  void process.stdout.write('', () => process.exit(exitCode));
