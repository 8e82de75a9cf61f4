import { Ajv, type ValidateFunction } from 'ajv';

/**
 * What Discord's OpenAPI document (version 10) says of the bodies that an app for points sends. A
 * field that is not listed here is refused: either it is wrong, or its description is missing.
 */
type Schema = Record<string, unknown>;

const object = (properties: Schema, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const text = (maxLength: number, minLength = 0): Schema => ({
  type: 'string',
  minLength,
  maxLength,
});
const list = (items: Schema, maxItems: number, minItems = 0): Schema => ({
  type: 'array',
  items,
  maxItems,
  minItems,
});
const only = (...values: unknown[]): Schema => ({ enum: values });
const SNOWFLAKE: Schema = { type: 'string', pattern: '^(0|[1-9][0-9]{0,19})$' };
const INT53: Schema = { type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 };
const FLAG = nullable({ type: 'boolean' });

const embed = object({
  title: nullable(text(256)),
  description: nullable(text(4_096)),
  color: nullable({ type: 'integer', minimum: 0, maximum: 0xffffff }),
  footer: nullable(object({ text: nullable(text(2_048)) })),
  fields: nullable(
    list(
      object({ name: text(256, 1), value: text(1_024, 1), inline: FLAG }, ['name', 'value']),
      25,
    ),
  ),
});

const emoji = object({ id: nullable(SNOWFLAKE), name: text(32) }, ['name']);

const button = object(
  {
    type: only(2),
    style: only(1, 2, 3, 4, 5),
    label: nullable(text(80)),
    custom_id: nullable(text(100, 1)),
    url: nullable({ ...text(512), pattern: '^https?://' }),
    disabled: FLAG,
    emoji: nullable(emoji),
  },
  ['type', 'style'],
);

const select = object(
  {
    type: only(3),
    custom_id: text(100, 1),
    placeholder: nullable(text(150)),
    options: list(
      object(
        {
          label: text(100, 1),
          value: text(100, 1),
          description: nullable(text(100)),
          emoji: nullable(emoji),
          default: FLAG,
        },
        ['label', 'value'],
      ),
      25,
      1,
    ),
  },
  ['type', 'custom_id', 'options'],
);

const row = object({ type: only(1), components: list({ anyOf: [button, select] }, 5, 1) }, [
  'type',
  'components',
]);

const allowedMentions = object({
  parse: nullable({ ...list(only('users', 'roles', 'everyone'), 3), uniqueItems: true }),
  users: nullable({ ...list(SNOWFLAKE, 100), uniqueItems: true }),
  roles: nullable({ ...list(SNOWFLAKE, 100), uniqueItems: true }),
});

const messageFields = {
  content: nullable(text(2_000)),
  embeds: nullable(list(embed, 10)),
  components: nullable(list(row, 5)),
  allowed_mentions: nullable(allowedMentions),
  flags: nullable({ type: 'integer' }),
};

const choice = object({ name: text(100, 1), value: text(6_000) }, ['name', 'value']);

const optionFields = {
  name: { type: 'string', pattern: '^[-_\\p{Ll}\\p{N}]{1,32}$' },
  description: text(100, 1),
  required: FLAG,
};
const option = (type: number, more: Schema = {}): Schema =>
  object({ type: only(type), ...optionFields, ...more }, ['type', 'name', 'description']);

const options = {
  anyOf: [
    option(3, {
      autocomplete: FLAG,
      min_length: nullable({ type: 'integer', minimum: 0, maximum: 6_000 }),
      max_length: nullable({ type: 'integer', minimum: 1, maximum: 6_000 }),
      choices: nullable(list(choice, 25)),
    }),
    option(4, { autocomplete: FLAG, min_value: nullable(INT53), max_value: nullable(INT53) }),
    option(6),
  ],
};

/** The documents say a string, the OpenAPI document an integer: both are accepted. */
const permissions = { anyOf: [{ type: 'string', pattern: '^[0-9]+$' }, { type: 'integer' }] };

const command = {
  anyOf: [
    object(
      {
        type: only(1),
        name: optionFields.name,
        description: text(100, 1),
        options: nullable(list(options, 25)),
        default_member_permissions: nullable(permissions),
      },
      ['name', 'description'],
    ),
    object(
      {
        type: only(2),
        name: text(32, 1),
        default_member_permissions: nullable(permissions),
      },
      ['name', 'type'],
    ),
  ],
};

const schemas = {
  callback: {
    anyOf: [
      object({ type: only(1) }, ['type']),
      object({ type: only(4), data: object(messageFields) }, ['type', 'data']),
      // The flag for private answers is the only one.
      object({ type: only(5), data: object({ flags: only(64) }) }, ['type']),
      object({ type: only(6) }, ['type']),
      object({ type: only(7), data: object(messageFields) }, ['type', 'data']),
      object({ type: only(8), data: object({ choices: list(choice, 25) }, ['choices']) }, [
        'type',
        'data',
      ]),
    ],
  },
  edit: object(messageFields),
  followUp: object(messageFields),
  message: object({ ...messageFields, nonce: text(25), enforce_nonce: FLAG }),
  commands: list(command, 130),
};

const ajv = new Ajv({ strict: false, unicodeRegExp: true, allErrors: false });
const checks = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Record<keyof typeof schemas, ValidateFunction>;

/** Why Discord would refuse a body; undefined if it would not. */
export function faultOf(name: keyof typeof schemas, body: unknown): string | undefined {
  const check = checks[name];
  if (!check(body)) return `${name}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body)}`;
  const messages = name === 'callback' ? [(body as { data?: object }).data] : [body];
  const faults = name === 'commands' ? orderFaults(body) : messages.flatMap(messageFaults);
  return faults[0] && `${name}: ${faults[0]} in ${JSON.stringify(body)}`;
}

/** What the document says in words only. */
function messageFaults(message: unknown): string[] {
  const { content, embeds, components } = Object(message);
  const isEmpty = content === '' && embeds?.length === 0;
  const sizes = (embeds ?? []).map((each: object) => JSON.stringify(each).length);
  const inRows = (components ?? []).flatMap((each: { components: object[] }) => each.components);
  const ids = inRows.flatMap((each: { custom_id?: string }) => each.custom_id ?? []);
  return [
    ...(isEmpty ? ['the message is empty'] : []),
    ...(sizes.some((size: number) => size > 6_000) ? ['an embed is too long'] : []),
    ...(new Set(ids).size < ids.length ? ['a custom_id is not unique'] : []),
  ];
}

/** Required options come first, and names are unique. */
function orderFaults(commands: unknown): string[] {
  const all = commands as { name: string; type?: number; options?: { required?: boolean }[] }[];
  const names = all.map(({ name, type }) => `${type} ${name}`);
  const isMixed = all.some(({ options: given = [] }) => {
    const firstOptional = given.findIndex(({ required }) => !required);
    return firstOptional >= 0 && given.slice(firstOptional).some(({ required }) => required);
  });
  return [
    ...(isMixed ? ['a required option follows an optional one'] : []),
    ...(new Set(names).size < names.length ? ['a name is not unique'] : []),
  ];
}
