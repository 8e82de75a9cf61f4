import type { TSchema } from 'typebox';
import { MemberId } from '../schemas.ts';

export type JsonObject = Record<string, unknown>;

/** The schemas that the document defines under a name and refers to by it. */
export type NamedSchemas = ReadonlyMap<object, string>;

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** TypeBox writes a map as a pattern that every key matches. */
const ANY_KEY = '^.*$';

/**
 * A schema in plain JSON Schema: our own keywords are replaced by the nearest standard ones, and a
 * named schema by a reference.
 */
export function plainSchema(schema: TSchema, named: NamedSchemas): JsonObject {
  const name = named.get(schema);
  return name === undefined ? spelledOut(schema, named) : schemaRef(name);
}

/** The same, but written out even if the schema has a name: for its definition. */
export function spelledOut(schema: TSchema, named: NamedSchemas): JsonObject {
  const plain: JsonObject = {};
  for (const [word, value] of Object.entries(schema)) {
    Object.assign(plain, translated(word, value, schema, named));
  }
  return withNull(plain);
}

function translated(
  word: string,
  value: unknown,
  schema: TSchema,
  named: NamedSchemas,
): JsonObject {
  switch (word) {
    case 'fault':
    case 'exact':
    case 'uint256':
    case 'visible':
      return {};
    case 'atMost':
      return { minLength: 1, maxLength: value };
    case 'memberId':
      return 'type' in schema ? {} : eitherMemberId();
    case 'instant':
      return { format: 'date-time' };
    case 'integerInQuery':
      return { type: 'integer', ...(value as JsonObject) };
    case 'type':
    case 'pattern':
      return 'integerInQuery' in schema ? {} : { [word]: value };
    case 'properties':
      return { properties: plainProperties(value as Record<string, TSchema>, named) };
    case 'patternProperties':
      return {
        additionalProperties: plainSchema((value as Record<string, TSchema>)[ANY_KEY] ?? {}, named),
      };
    case 'items':
    case 'not':
      return { [word]: plainSchema(value as TSchema, named) };
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return { [word]: (value as TSchema[]).map((one) => plainSchema(one, named)) };
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

function plainProperties(properties: Record<string, TSchema>, named: NamedSchemas): JsonObject {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, schema]) => [name, plainSchema(schema, named)]));
}

/** A union with null as one schema of two types, which is easier to read. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema as { anyOf?: JsonObject[] };
  const [value, nothing] = anyOf ?? [];
  if (anyOf?.length !== 2 || nothing?.type !== 'null' || !value) return schema;
  if (typeof value.type !== 'string' || 'enum' in value) return schema;
  return { ...value, ...rest, type: [value.type, 'null'] };
}
