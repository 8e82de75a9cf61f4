/** What Discord fills in, by field: an absent one means the same. */
const DEFAULTS: Record<string, unknown> = {
  type: 1,
  description: '',
  required: false,
  autocomplete: false,
  default_member_permissions: null,
};

const COMMAND = ['name', 'type', 'description', 'default_member_permissions'];
const OPTION = ['name', 'type', 'description', 'required', 'autocomplete'];
const LIMITS = ['min_value', 'max_value', 'min_length', 'max_length'];

type Fields = Record<string, unknown>;

const picked = (from: Fields, names: string[]): unknown[] =>
  names.map((name) => from[name] ?? DEFAULTS[name] ?? null);

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : []);

const optionOf = (option: Fields): unknown[] => [
  ...picked(option, [...OPTION, ...LIMITS]),
  listOf(option.choices).map((choice) => picked(choice, ['name', 'value'])),
];

const normal = (commands: unknown): string =>
  JSON.stringify(
    listOf(commands)
      .map((command) => [...picked(command, COMMAND), listOf(command.options).map(optionOf)])
      .toSorted((a, b) => `${a[1]} ${a[0]}`.localeCompare(`${b[1]} ${b[0]}`)),
  );

/** Whether a server has these commands: Discord allows to create only 200 a day. */
export const sameCommands = (one: unknown, other: unknown): boolean =>
  normal(one) === normal(other);
