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
  isSum?: boolean;
  nullable?: boolean;
}

/** Named differently in the client: a browser has an `Event` of its own. */
const RENAMED: Record<string, string> = { Event: 'RealmEvent' };

export const nameOf = (title: string): string => RENAMED[title] ?? title;

/** Where a type stands: how far it is indented, and whether it is of a request. */
interface Place {
  depth: number;
  isSent: boolean;
}

const AT_TOP: Place = { depth: 0, isSent: false };

/** The type of a value of this schema. A schema with a title is a type of that name. */
export function typeOf(schema: TSchema, place: Place = AT_TOP): string {
  const { title } = schema as Keywords;
  return title === undefined ? spelledOut(schema, place) : nameOf(title);
}

export function spelledOut(schema: TSchema, place: Place): string {
  const words = schema as Keywords;
  // The problem of an entry of a batch, which has no request of its own.
  if (words.freeForm) return "Omit<ProblemBody, 'requestId'>";
  if (words.integerInQuery) return 'number';
  if (words.memberId && words.type === undefined) return 'MemberId';
  if (words.anyOf) return words.anyOf.map((each) => typeOf(each, place)).join(' | ');
  if (words.enum) return literals(words.enum, place);
  const types = [words.type ?? 'object', ...(words.nullable ? ['null'] : [])].flat();
  return types.map((type) => typeNamed(type, words, place)).join(' | ');
}

function literals(values: readonly (string | null)[], { depth }: Place): string {
  // In a query, text is all there is.
  if (values.join() === 'true,false') return 'boolean';
  const types = values.map((value) => (value === null ? 'null' : quoted(value)));
  return union(types, depth + 24, depth);
}

function typeNamed(type: string, words: Keywords, place: Place): string {
  switch (type) {
    case 'integer':
    case 'number':
      return words.isSum ? 'Sum' : 'number';
    case 'string':
      return words.instant ? 'Instant' : 'string';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return arrayOf(words.items ? typeOf(words.items, place) : 'unknown', place);
    case 'object':
      return objectOf(words, place);
    default:
      throw new Error(`no TypeScript type for ${type}`);
  }
}

/** Callers may send lists that they must not change. */
function arrayOf(item: string, { isSent }: Place): string {
  const array = /^[^{]*[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
  return isSent ? `readonly ${array}` : array;
}

/** In a request, undefined is as good as absent, also where the compiler distinguishes them. */
function objectOf({ properties, required, additionalProperties }: Keywords, place: Place): string {
  if (properties === undefined) {
    const value =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const depth = place.depth + 2;
  const fields = Object.entries(properties).map(([name, field]) => {
    const about = comment((field as Keywords).description, depth);
    const type = typeOf(field, { ...place, depth });
    if (required?.includes(name)) return `${about}${propertyName(name)}: ${type};\n`;
    return `${about}${propertyName(name)}?: ${type}${place.isSent ? ' | undefined' : ''};\n`;
  });
  return fields.length === 0 ? 'Record<never, never>' : `{\n${indented(fields.join(''))}}`;
}
