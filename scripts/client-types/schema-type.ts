import type { TSchema } from 'typebox';
import { comment, indented, propertyName, quoted, union } from './print.ts';

/** The keywords that matter for a type; see src/contract/schemas.ts for those of our own. */
interface Keywords {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: (string | null)[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  required?: string[];
  additionalProperties?: TSchema | boolean;
  memberId?: boolean;
  instant?: boolean | string;
  integerInQuery?: object;
  freeForm?: boolean;
}

/** Named differently in the client: a browser has an `Event` of its own. */
const RENAMED: Record<string, string> = { Event: 'RealmEvent' };

export const nameOf = (title: string): string => RENAMED[title] ?? title;

/** The type of a value of this schema. A schema with a title is a type of that name. */
export function typeOf(schema: TSchema, depth = 0): string {
  const { title } = schema as Keywords;
  return title === undefined ? spelledOut(schema, depth) : nameOf(title);
}

export function spelledOut(schema: TSchema, depth: number): string {
  const words = schema as Keywords;
  // The problem of an entry of a batch, which has no request of its own.
  if (words.freeForm) return "Omit<ProblemBody, 'requestId'>";
  if (words.integerInQuery) return 'number';
  if (words.memberId && words.type === undefined) return 'MemberId';
  if (words.anyOf) return words.anyOf.map((each) => typeOf(each, depth)).join(' | ');
  if (words.enum) return literals(words.enum, depth);
  const types = [words.type ?? 'object'].flat();
  return types.map((type) => typeNamed(type, words, depth)).join(' | ');
}

function literals(values: readonly (string | null)[], depth: number): string {
  // In a query, text is all there is.
  if (values.join() === 'true,false') return 'boolean';
  const types = values.map((value) => (value === null ? 'null' : quoted(value)));
  return union(types, depth + 24, depth);
}

function typeNamed(type: string, words: Keywords, depth: number): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return words.instant ? 'Instant' : 'string';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return arrayOf(words.items ? typeOf(words.items, depth) : 'unknown');
    case 'object':
      return objectOf(words, depth);
    default:
      throw new Error(`no TypeScript type for ${type}`);
  }
}

const arrayOf = (item: string): string => (/^[^{]*[|&]/.test(item) ? `(${item})[]` : `${item}[]`);

function objectOf({ properties, required, additionalProperties }: Keywords, depth: number): string {
  if (properties === undefined) {
    const value =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required?.includes(name) ? '' : '?';
    const about = comment((field as Keywords).description, depth + 2);
    return `${about}${propertyName(name)}${mark}: ${typeOf(field, depth + 2)};\n`;
  });
  return fields.length === 0 ? 'Record<never, never>' : `{\n${indented(fields.join(''))}}`;
}
