import { parseArgs } from 'node:util';

/** One option of a command, both for the parser and for the help. */
interface Option {
  type: 'string' | 'boolean';
  help: string;
  /** The placeholder for the value in the help, such as `<name>`. */
  value?: string;
  required?: true;
}

export type Options = Record<string, Option>;

type Values<O extends Options> = {
  [Name in keyof O]?: { string: string; boolean: boolean }[O[Name]['type']];
};

/** What a command prints: text, or JSON with `--json`. */
export interface Result {
  text: string;
  json: Record<string, unknown>;
}

export interface Call<A extends string = string, O extends Options = Options> {
  args: Record<A, string>;
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
  options: O;
  example: string;
  run(call: Call<A, O>): Promise<void>;
}

export const define = <const A extends string, const O extends Options>(
  command: Command<A, O>,
): Command<A, O> => command;

/** The options of every command. */
export const commonOptions = {
  json: { type: 'boolean', help: 'Print one JSON object.' },
  help: { type: 'boolean', help: 'Show this help.' },
} as const satisfies Options;

/** The command line is wrong; the message says how. */
export class UsageError extends Error {}

interface Typed {
  args: Record<string, string>;
  values: Record<string, string | boolean>;
}

/** Parses what follows the name of a command. */
export function readArguments(name: string, command: Command, argv: string[]): Typed {
  const options: Options = { ...command.options, ...commonOptions };
  const { values, positionals } = parse(name, options, argv);
  if (values.help) return { args: {}, values };
  const extra = positionals[command.args.length];
  if (extra !== undefined) {
    throw new UsageError(`Unexpected argument "${extra}". ${seeHelp(name)}`);
  }
  const missing = [
    ...command.args.slice(positionals.length).map((arg) => `<${arg}>`),
    ...Object.keys(options).flatMap((option) =>
      options[option]?.required && values[option] === undefined ? `--${option}` : [],
    ),
  ];
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are';
    throw new UsageError(`${missing.join(' and ')} ${verb} missing. ${seeHelp(name)}`);
  }
  return { args: Object.fromEntries(zip(command.args, positionals)), values };
}

export const seeHelp = (name: string): string =>
  `See "${['realmkeep', name, '--help'].filter(Boolean).join(' ')}".`;

function parse(name: string, options: Options, argv: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: Object.fromEntries(
        Object.entries(options).map(([option, { type }]) => [
          option,
          option === 'help' ? { type, short: 'h' } : { type },
        ]),
      ),
      allowPositionals: true,
    });
    return { values: values as Record<string, string | boolean>, positionals };
  } catch (error) {
    throw new UsageError(`${faultOf(error as Error, options)} ${seeHelp(name)}`);
  }
}

/** The parser's own messages are long and give advice that does not apply here. */
function faultOf({ message }: Error, options: Options): string {
  const typed = /'(?:-\w, )?(-[^' ]*)/.exec(message)?.[1] ?? '';
  const option = options[typed.replace(/^-+/, '')];
  if (!option) return `Unknown option ${typed}.`;
  if (option.type === 'boolean') return `${typed} takes no value.`;
  return `${typed} needs a value; write ${typed}=<value> if it starts with "-".`;
}

const zip = (names: readonly string[], values: readonly string[]): [string, string][] =>
  names.map((name, index) => [name, values[index] ?? '']);
