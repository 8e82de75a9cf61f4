import { settings } from '../config/settings.ts';
import { type Command, commonOptions, type Options } from './command.ts';
import { table } from './terminal.ts';

/** The help of the whole program. */
export function overview(commands: Record<string, Command>): string {
  return `Realmkeep is a ledger of a community's members, wallets and points.

Usage: npx realmkeep <command> [options]

${commandList(commands)}

Every command accepts --json, to print JSON, and --help.
"npx realmkeep --version" prints the version.

${settingList()}`;
}

const settingList = (): string => `Settings are environment variables, or lines of the file .env:

${indented(settingRows((name) => !OPEN_TELEMETRY.test(name)))}

Traces and metrics for a collector, by the variables of OpenTelemetry:

${indented(settingRows((name) => OPEN_TELEMETRY.test(name)))}

A setting marked with * can also be read from a file: set <NAME>_FILE to its path.`;

/** The help of the commands that start with one word. */
export function overviewOf(group: string, commands: Record<string, Command>): string {
  return `Usage: npx realmkeep ${group} <command> [options]

${commandList(commands)}

Every command accepts --json, to print JSON, and --help.
"npx realmkeep --help" lists all commands and settings.`;
}

const commandList = (commands: Record<string, Command>): string =>
  indented(
    Object.entries(commands).map(([name, command]) => [
      [name, ...argumentNames(command)].join(' '),
      command.summary,
    ]),
  );

/** Their names are so long that they have a table of their own. */
const OPEN_TELEMETRY = /^OTEL_/;

const settingRows = (isShown: (name: string) => boolean): string[][] =>
  Object.entries(settings)
    .filter(([name]) => isShown(name))
    .map(([name, setting]) => [
      'isSecret' in setting ? `${name} *` : name,
      'default' in setting ? `${setting.help} Default: ${setting.default}.` : setting.help,
    ]);

/** The help of one command. */
export function helpOf(name: string, command: Command): string {
  const options: Options = { ...command.options, ...commonOptions };
  const required = Object.entries(options).flatMap(([name, option]) =>
    option.required ? [typed(name, option)] : [],
  );
  const rows = Object.entries(options).map(([name, option]) => [typed(name, option), option.help]);
  return `${['npx realmkeep', name, ...argumentNames(command), ...required, '[options]'].join(' ')}

${[command.summary, command.notes].filter(Boolean).join('\n')}

${indented(rows)}

Example:
  ${command.example}${command.showsSettings ? `\n\n${settingList()}` : ''}`;
}

function typed(name: string, { value, isOptional }: Options[string]): string {
  if (value === undefined) return `--${name}`;
  return `--${name} ${isOptional ? `[${value}]` : value}`;
}

const argumentNames = ({ args, rest }: Command): string[] => [
  ...args.map((arg) => `<${arg}>`),
  ...(rest === undefined ? [] : [`[<${rest}...>]`]),
];

const indented = (rows: string[][]): string => table(rows).replaceAll(/^/gm, '  ');
