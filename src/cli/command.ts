import { parseArgs } from 'node:util';
import { ConfigError, type Parser } from '../config/parsers.ts';
import { settings } from '../config/settings.ts';
import { table } from './terminal.ts';

interface Option {
  help: string;
  /** The placeholder for the value in the help, such as `<name>`; a flag has none. */
  value?: string;
  required?: true;
  multiple?: true;
  /** The value may be left out, and is then the empty text. */
  isOptional?: true;
}

type Options = Record<string, Option>;

type ValueOf<O extends Option> = O extends { value: string; multiple: true }
  ? string[] | undefined
  : O extends { value: string; required: true }
    ? string
    : (O extends { value: string } ? string : boolean) | undefined;

type Values<O extends Options> = Options extends O
  ? Record<string, string | string[] | boolean | undefined>
  : { [Name in keyof O]: ValueOf<O[Name]> };

/** What a command prints: text, or JSON with `--json`. */
export interface Result {
  text: string;
  json: Record<string, unknown>;
}

interface Call<A extends string = string, O extends Options = Options> {
  args: Record<A, string>;
  rest: string[];
  values: Values<O>;
  /** To be called once, so that `--json` prints one object. */
  print(result: Result): void;
}

export interface Command<A extends string = string, O extends Options = Options> {
  /** One sentence, for the list of commands. */
  summary: string;
  /** More sentences, for the command's own help. */
  notes?: string;
  args: readonly A[];
  /** The name of further arguments, of which there may be any number. */
  rest?: string;
  options: O;
  example: string;
  /** Whether its own help lists the settings, too. */
  showsSettings?: true;
  run(call: Call<A, O>): Promise<void>;
}

/** `args` and `options` may be left out if there are none. */
type Definition<A extends string, O extends Options> = Omit<Command<A, O>, 'args' | 'options'> &
  Partial<Command<A, O>>;

export const define = <const A extends string, const O extends Options>(
  definition: Definition<A, O>,
): Command => ({ args: [], options: {}, ...definition });

const commonOptions = {
  json: { help: 'Print one JSON object.' },
  help: { help: 'Show this help.' },
} as const satisfies Options;

export class UsageError extends Error {}

/** Parses the value of an option as a setting of the same kind is parsed. */
export function parseOption<T>(option: string, text: string, parse: Parser<T>): T {
  try {
    return parse(text, option);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(`${error.message}.`) : error;
  }
}

export function readArguments(name: string, command: Command, argv: string[]): Omit<Call, 'print'> {
  const options: Options = { ...command.options, ...commonOptions };
  const { values, positionals } = parse(name, options, argv);
  const args = Object.fromEntries(command.args.map((arg, i) => [arg, positionals[i] ?? '']));
  const rest = positionals.slice(command.args.length);
  const typed = { args, rest, values };
  if (values.help) return typed;
  if (rest.length > 0 && command.rest === undefined) {
    throw new UsageError(`Unexpected argument "${rest[0]}". ${seeHelp(name)}`);
  }
  const missing = [
    ...command.args.slice(positionals.length).map((arg) => `<${arg}>`),
    ...Object.keys(options).flatMap((option) =>
      options[option]?.required && values[option] === undefined ? `--${option}` : [],
    ),
  ];
  if (missing.length === 0) return typed;
  const verb = missing.length === 1 ? 'is' : 'are';
  throw new UsageError(`${missing.join(' and ')} ${verb} missing. ${seeHelp(name)}`);
}

export const seeHelp = (name: string): string =>
  `See "${['npx realmkeep', name, '--help'].filter(Boolean).join(' ')}".`;

/** No option is a number, so `-5` is an argument; the parser would take it for an option. */
const HIDDEN = '\u{2212}';
const showMinus = (word: string): string => word.replace(/^\u{2212}(?=\d)/u, '-');

/** What the parser can read: it knows neither negative numbers nor values that may be left out. */
const readable = (words: string[], options: Options): string[] =>
  words.map((word, index) => {
    const option = options[words[index - 1]?.replace(/^--/, '') ?? ''];
    if (option?.value === undefined && /^-\d/.test(word)) return HIDDEN + word.slice(1);
    const mayLackValue = word.startsWith('--') && options[word.slice(2)]?.isOptional;
    const next = words[index + 1] ?? '-';
    return mayLackValue && next.startsWith('-') ? `${word}=` : word;
  });

function parse(name: string, options: Options, argv: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: readable(argv, options),
      options: Object.fromEntries(
        Object.entries(options).map(([option, { value, multiple = false }]) => [
          option,
          {
            type: value === undefined ? 'boolean' : 'string',
            multiple,
            ...(option === 'help' && { short: 'h' }),
          },
        ]),
      ),
      allowPositionals: true,
    });
    return { values: values as Call['values'], positionals: positionals.map(showMinus) };
  } catch (error) {
    throw new UsageError(`${faultOf(error as Error, options)} ${seeHelp(name)}`);
  }
}

/** The parser's own messages are long and give advice that does not apply here. */
function faultOf({ message }: Error, options: Options): string {
  const typed = /'(?:-\w, )?(-[^' ]*)/.exec(message)?.[1] ?? '';
  const option = options[typed.replace(/^-+/, '')];
  if (!option) return `Unknown option ${typed}.`;
  if (option.value === undefined) return `${typed} takes no value.`;
  return `${typed} needs a value; write ${typed}=<value> if it starts with "-".`;
}

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
