import type { TSchema } from 'typebox';
import { MemberId } from '../schemas.ts';

export type JsonObject = Record<string, unknown>;

/** The schemas that get a name of their own in the document, and are referred to by it. */
export type NamedSchemas = ReadonlyMap<object, string>;

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** TypeBox writes a map from any key to a value as a pattern that every key fits. */
const ANY_KEY = '^.*$';

/**
 * A schema as everyone reads it: without the words that only our own check knows, each replaced by
 * the nearest that JSON Schema has. A schema with a name becomes a reference.
 */
export function plainSchema(schema: TSchema, named: NamedSchemas): JsonObject {
  const name = named.get(schema);
  return name === undefined ? spelledOut(schema, named) : schemaRef(name);
}

/** The same, but a schema with a name is written out here too: for where the name is defined. */
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

/** No bound above: 2^63-1 is no number that every reader of JSON keeps exactly. */
function eitherMemberId(): JsonObject {
  const { pattern } = MemberId as { pattern?: string };
  return {
    oneOf: [
      { title: 'Text', type: 'string', pattern, description: 'Digits: safe in every client.' },
      {
        title: 'Integer',
        type: 'integer',
        format: 'int64',
        minimum: 1,
        description: 'A JSON integer, read without loss.',
      },
    ],
  };
}

function plainProperties(properties: Record<string, TSchema>, named: NamedSchemas): JsonObject {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, schema]) => [name, plainSchema(schema, named)]));
}

/** "This or null" as one schema of two types, which reads better than a choice of schemas. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema as { anyOf?: JsonObject[] };
  const [value, nothing] = anyOf ?? [];
  if (anyOf?.length !== 2 || nothing?.type !== 'null' || !value) return schema;
  if (typeof value.type !== 'string' || 'enum' in value) return schema;
  return { ...value, ...rest, type: [value.type, 'null'] };
}
