import type { TSchema } from 'typebox';
import { Key, NewKey } from '../operations/keys.ts';
import { Member } from '../operations/members.ts';
import { Realm } from '../operations/realms.ts';
import { Wallet } from '../operations/wallets.ts';
import { MemberId } from '../schemas.ts';

export type JsonObject = Record<string, unknown>;
type Fields = Record<string, TSchema>;

export const fieldsOf = (schema: TSchema | undefined): Fields =>
  (schema as { properties?: Fields } | undefined)?.properties ?? {};

/** The schemas that the document defines under a name and refers to by it. */
const namedSchemas: Fields = { Realm, Key, NewKey, Member, Wallet };

export const schemaDefinitions = (): JsonObject => mapValues(namedSchemas, spelledOut);

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/**
 * A schema in plain JSON Schema: our own keywords are replaced by the nearest standard ones, and a
 * named schema by a reference.
 */
export function plainSchema(schema: TSchema): JsonObject {
  const name = Object.keys(namedSchemas).find((each) => namedSchemas[each] === schema);
  return name === undefined ? spelledOut(schema) : schemaRef(name);
}

/** The same, but written out even if the schema has a name: for its definition. */
function spelledOut(schema: TSchema): JsonObject {
  const words = Object.entries(schema).map(([word, value]) => translated(word, value, schema));
  return withNull(Object.assign({}, ...words));
}

function translated(word: string, value: unknown, schema: TSchema): JsonObject {
  switch (word) {
    case 'fault':
    case 'exact':
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
    case 'pattern':
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
