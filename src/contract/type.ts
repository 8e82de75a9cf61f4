import type TypeBox from 'typebox';
import type { TProperties, TSchema, TSchemaOptions } from 'typebox';

/**
 * The builders of schemas, with the types of TypeBox, which are what a schema's own type follows
 * from. TypeBox's own builders are 373 files and take 0.2 s to load: 40 % of what a command takes
 * to print its help.
 */
type Builders = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Integer' | 'Null' | 'Object' | 'Optional' | 'String' | 'Union' | 'Unsafe'
>;

const optional = new WeakSet<TSchema>();

const plain =
  (type: string) =>
  (options: TSchemaOptions = {}): TSchema => ({ type, ...options });

function object(properties: TProperties, options: TSchemaOptions = {}): TSchema {
  const fields = Object.entries(properties);
  const required = fields.flatMap(([name, schema]) => (optional.has(schema) ? [] : [name]));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function optionally(schema: TSchema): TSchema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

const builders = {
  Array: (items: TSchema, options: TSchemaOptions = {}) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Integer: plain('integer'),
  Null: plain('null'),
  Object: object,
  Optional: optionally,
  String: plain('string'),
  Union: (anyOf: TSchema[], options: TSchemaOptions = {}) => ({ anyOf, ...options }),
  Unsafe: (schema: TSchema) => ({ ...schema }),
};

export const Type = builders as unknown as Builders;

/** An object under its own name in openapi.json and in the client. */
export const named = <P extends TProperties>(title: string, properties: P) =>
  Type.Object(properties, { title });
