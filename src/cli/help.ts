import { type Command, commonOptions, type Options } from './command.ts';

const SETTINGS = `Settings come from the environment: PORT (8080), HOST (127.0.0.1),
DATABASE_URL (sqlite:data/realmkeep.db), ROOT_KEY, LOG_LEVEL (info), BODY_LIMIT, IDEMPOTENCY_DAYS.`;

/** The help of the whole program, or of the commands that begin with one word. */
export function overview(commands: Record<string, Command>, group = ''): string {
  const names = Object.keys(commands).filter((name) => name.startsWith(group));
  const rows = names.map((name): [string, string] => [
    [name, ...argumentNames(commands[name])].join(' '),
    commands[name]?.summary ?? '',
  ]);
  return `Realmkeep keeps a community's members, wallets and points.

Usage: realmkeep <command> [options]

${columns(rows)}

Every command takes --json, for an answer in JSON, and --help.
"realmkeep --version" tells the version.

${SETTINGS}`;
}

/** The help of one command. */
export function helpOf(name: string, command: Command): string {
  const options: Options = { ...command.options, ...commonOptions };
  const words = Object.entries(command.options).map(([option, { value, required }]) => {
    const word = [`--${option}`, value].filter(Boolean).join(' ');
    return required ? word : `[${word}]`;
  });
  const rows = Object.entries(options).map(([option, { value, help }]): [string, string] => [
    [`--${option}`, value].filter(Boolean).join(' '),
    help,
  ]);
  return `${['realmkeep', name, ...argumentNames(command), ...words].join(' ')}

${[command.summary, command.notes].filter(Boolean).join('\n')}

${columns(rows)}

Example:
  ${command.example}`;
}

const argumentNames = (command: Command | undefined): string[] =>
  (command?.args ?? []).map((arg) => (arg.endsWith('...') ? `[<${arg}>]` : `<${arg}>`));

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
