import { settings } from '../config.ts';
import { type Command, commonOptions, type Options } from './command.ts';

type Row = [label: string, text: string];

/** The help of the whole program, or of the commands that start with one word. */
export function overview(commands: Record<string, Command>, group = ''): string {
  const rows = Object.entries(commands)
    .filter(([name]) => name.startsWith(group))
    .map(([name, command]): Row => [[name, ...argumentNames(command)].join(' '), command.summary]);
  return `Realmkeep is a ledger of a community's members, wallets and points.

Usage: realmkeep <command> [options]

${columns(rows)}

Every command accepts --json, to print JSON, and --help.
"realmkeep --version" prints the version.

Settings are read from environment variables:

${columns(settingRows())}

A setting marked with * can also be read from a file: set <NAME>_FILE to its path.`;
}

const settingRows = (): Row[] =>
  Object.entries(settings).map(([name, setting]) => [
    'isSecret' in setting ? `${name} *` : name,
    'default' in setting ? `${setting.help} Default: ${setting.default}.` : setting.help,
  ]);

/** The help of one command. */
export function helpOf(name: string, command: Command): string {
  const options: Options = { ...command.options, ...commonOptions };
  const usage = Object.entries(command.options).map(([option, { value, required }]) => {
    const word = [`--${option}`, value].filter(Boolean).join(' ');
    return required ? word : `[${word}]`;
  });
  const rows = Object.entries(options).map(
    ([option, { value, help }]): Row => [[`--${option}`, value].filter(Boolean).join(' '), help],
  );
  return `${['realmkeep', name, ...argumentNames(command), ...usage].join(' ')}

${[command.summary, command.notes].filter(Boolean).join('\n')}

${columns(rows)}

Example:
  ${command.example}`;
}

const argumentNames = ({ args }: Command): string[] =>
  args.map((arg) => (arg.endsWith('...') ? `[<${arg}>]` : `<${arg}>`));

function columns(rows: Row[]): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`).join('\n');
}
