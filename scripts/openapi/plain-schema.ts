import type { TSchema } from 'typebox';
import { MemberId } from '../../src/contract/schemas.ts';

export type JsonObject = Record<string, unknown>;
type Fields = Record<string, TSchema>;

export const fieldsOf = (schema: TSchema | undefined): Fields =>
  (schema as { properties?: Fields } | undefined)?.properties ?? {};

const titleOf = (schema: unknown): string | undefined =>
  (schema as { title?: string } | null)?.title;

/** The schema under its own title, or else under this one; a list is known by its items. */
export const titled = (schema: TSchema, title: string): TSchema =>
  titleOf(schema) === undefined && 'properties' in schema ? { ...schema, title } : schema;

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The definitions of all schemas with a title in these, by title. */
export function schemaDefinitions(schemas: readonly TSchema[]): JsonObject {
  const found: JsonObject = {};
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const title = titleOf(value);
    if (typeof title === 'string') {
      const definition = spelledOut(value as TSchema);
      if (title in found && JSON.stringify(found[title]) !== JSON.stringify(definition)) {
        throw new Error(`two schemas have the title ${title}`);
      }
      found[title] = definition;
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const schema of schemas) visit(schema);
  return found;
}

/**
 * A schema in plain JSON Schema: our own keywords are replaced by the nearest standard ones, and a
 * schema with a title by a reference.
 */
export function plainSchema(schema: TSchema): JsonObject {
  const title = titleOf(schema);
  return title === undefined ? spelledOut(schema) : schemaRef(title);
}

/** The same, but written out even if the schema has a title: for its definition. */
function spelledOut(schema: TSchema): JsonObject {
  const words = Object.entries(schema).map(([word, value]) => translated(word, value, schema));
  return withNull(Object.assign({}, ...words));
}

function translated(word: string, value: unknown, schema: TSchema): JsonObject {
  switch (word) {
    case 'fault':
    case 'unlisted':
    case 'exact':
    case 'isSum':
    case 'nullable':
    case 'timeZone':
    case 'uint256':
    case 'visible':
      return {};
    case 'freeForm':
      return { type: 'object', additionalProperties: {} };
    case 'atMost':
      return { minLength: 1, maxLength: value };
    case 'memberId':
      return 'type' in schema ? {} : eitherMemberId();
    case 'instant':
      return { format: 'date-time' };
    case 'integerInQuery':
      return { type: 'integer', ...(value as JsonObject) };
    case 'type':
      if ('nullable' in schema) return { [word]: [value, 'null'] };
      return 'integerInQuery' in schema ? {} : { [word]: value };
    case 'properties':
      return { properties: mapValues(value as Fields, plainSchema) };
    case 'additionalProperties':
    case 'propertyNames':
      return { [word]: typeof value === 'object' ? plainSchema(value as TSchema) : value };
    case 'items':
    case 'not':
      return { [word]: plainSchema(value as TSchema) };
    case 'anyOf':
      return { [word]: (value as TSchema[]).map(plainSchema) };
    default:
      return { [word]: value };
  }
}

/** Without a maximum: not every JSON parser can represent 2^63-1 exactly. */
function eitherMemberId(): JsonObject {
  const { pattern } = MemberId as { pattern?: string };
  return {
    oneOf: [
      { title: 'Text', type: 'string', pattern, description: 'Digits: safe for every client.' },
      {
        title: 'Integer',
        type: 'integer',
        format: 'int64',
        minimum: 1,
        description: 'A JSON integer, read without loss of precision.',
      },
    ],
  };
}

const mapValues = (fields: Fields, map: (schema: TSchema) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, map(schema)]));

/** A union with null as one schema of two types, which is easier to read. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema as { anyOf?: JsonObject[] };
  const [value, nothing] = anyOf ?? [];
  if (anyOf?.length !== 2 || nothing?.type !== 'null' || !value) return schema;
  if (typeof value.type !== 'string' || 'enum' in value) return schema;
  return { ...value, ...rest, type: [value.type, 'null'] };
}
