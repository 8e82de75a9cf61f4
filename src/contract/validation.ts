import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { isTimeZone } from '../domain/rules/calendar.ts';
import { meantBy } from '../domain/rules/spelling.ts';
import { isWrite, type Operation, takesIdempotencyKey } from './operation.ts';
import { IdempotencyKey, type ParameterName, pathFields, pathParameters } from './parameters.ts';
import { invalidRequest, MAX_FAULTS, ProblemError, type RequestFault } from './problems.ts';
import { ON_BEHALF_OF_HEADER, OnBehalfOf } from './remarks.ts';
import { MAX_MEMBER_ID } from './schemas.ts';
import { Type } from './type.ts';

/** The compiler of checks, with the keywords of our own that the schemas use. */
const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
ajv.addKeyword('fault');
ajv.addKeyword('unlisted');
const valueKeywords = { memberId: isMemberId, instant: isInstant, exact: isExact };
for (const [keyword, validate] of Object.entries(valueKeywords)) {
  ajv.addKeyword({ keyword, validate });
}
const textKeywords = {
  atMost: hasAtMost,
  integerInQuery: isIntegerText,
  timeZone: (_: true, name: string) => isTimeZone(name),
  uint256: isUint256,
  visible: isVisible,
};
for (const [keyword, validate] of Object.entries(textKeywords)) {
  ajv.addKeyword({ keyword, validate, type: 'string' });
}

/** Whether text is valid as this parameter of a path. Ajv compiles each schema once. */
export const isParameter =
  (name: ParameterName) =>
  (text: string): boolean =>
    ajv.validate(pathParameters[name], text);

/** Whether an operation takes these values as its query. */
export const isQueryOf = ({ query }: Operation, values: object): boolean =>
  query === undefined || ajv.validate(query, values);

export interface RequestParts {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/** What the pointers of faults in each part begin with. */
const prefixes: Record<string, string> = {
  params: '/path',
  query: '/query',
  headers: '/header',
  body: '',
};

export type Fields = Readonly<Record<string, unknown>>;

/** Finds faults that a schema cannot express. */
export type BodyFaults = (body: Fields, params: Fields) => RequestFault[];

/** Checks requests of one operation; throws a problem with all faults, up to the bound. */
export function requestCheck(
  operation: Operation,
  furtherFaults?: BodyFaults,
): (parts: RequestParts, found?: readonly RequestFault[]) => void {
  const validation = validationOf(operation);
  const mustHaveBody = operation.body !== undefined && !operation.bodyOptional;
  return (parts, found = []) => {
    const { body, params } = parts;
    if (mustHaveBody && body === undefined) {
      const reason = 'The body is empty. Send a JSON object.';
      throw new ProblemError('malformed-json', { reason });
    }
    const validate = validation();
    const faults = validate(parts) ? [] : faultsIn(validate.errors);
    if (furtherFaults && isObject(body)) faults.push(...furtherFaults(body, params as Fields));
    faults.push(...found);
    if (faults.length > 0) throw invalidRequest(firstOfEach(faults));
  };
}

/** Compiled once, however many services a process starts. */
const validations = new WeakMap<Operation, () => ValidateFunction>();

function validationOf(operation: Operation): () => ValidateFunction {
  const validation = validations.get(operation) ?? lazily(requestSchema(operation));
  validations.set(operation, validation);
  return validation;
}

/** All parts as one schema. A body may be absent here. */
function requestSchema(operation: Operation): TSchema {
  const { path, query, body } = operation;
  const headers = {
    ...(operation.headers as Described | undefined)?.properties,
    ...(takesIdempotencyKey(operation) && { 'idempotency-key': Type.Optional(IdempotencyKey) }),
    ...(isWrite(operation) && { [ON_BEHALF_OF_HEADER]: Type.Optional(OnBehalfOf) }),
  };
  return Type.Object({
    params: Type.Object(pathFields(path)),
    ...(query && { query }),
    headers: Type.Object(headers),
    ...(body && { body: Type.Optional(body) }),
  });
}

/** Checks one entry of the list in the body by itself; the pointers begin at the entry. */
export function entryCheck({ body }: Operation): (entry: unknown) => RequestFault[] {
  const { properties = {} } = (body ?? {}) as Described;
  const { items = {} } = Object.values(properties).at(-1) as Described;
  const validation = lazily(Type.Object({ body: items }));
  return (entry) => {
    const validate = validation();
    return validate({ body: entry }) ? [] : firstOfEach(faultsIn(validate.errors));
  };
}

/** The first fault of each place, up to the bound. */
function firstOfEach(faults: readonly RequestFault[]): RequestFault[] {
  const places = new Map<string, RequestFault>();
  for (const fault of faults) {
    if (!places.has(fault.pointer)) places.set(fault.pointer, fault);
    if (places.size === MAX_FAULTS) break;
  }
  return [...places.values()];
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** That an `if` failed is reported by what is in its `then`. */
const faultsIn = (errors: readonly ErrorObject[] | null | undefined): RequestFault[] =>
  (errors ?? []).filter(({ keyword }) => keyword !== 'if').map(faultOf);

function faultOf(error: ErrorObject): RequestFault {
  const [, part = '', place = ''] = /^\/(\w+)(.*)$/s.exec(error.instancePath) ?? [];
  const missing = error.keyword === 'required' ? `/${error.params.missingProperty}` : '';
  return { pointer: `${prefixes[part]}${place}${missing}`, detail: sentence(error) };
}

function sentence(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  const { fault, unlisted } = (error.parentSchema ?? {}) as { fault?: string; unlisted?: string };
  if (unlisted && error.keyword === 'enum') return `${unlisted}: ${likely(error)}`;
  if (fault) return fault;
  return error.keyword === 'type'
    ? `must be ${article(error.params.type)}`
    : (error.message ?? 'is not valid');
}

/** A value that is none of a list, and which of them is probably meant. */
function likely({ data, params }: ErrorObject): string {
  const sent = String(data).slice(0, 40);
  const meant = meantBy(sent, params.allowedValues);
  return JSON.stringify(sent) + (meant ? ` (did you mean "${meant}"?)` : '');
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** Compiled when first needed: all of them together made a start an eighth of a second longer. */
function lazily(schema: TSchema): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  return () => {
    validate ??= ajv.compile(bounded(schema));
    return validate;
  };
}

/** The keywords of schemas that are looked at here. */
interface Described {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  uniqueItems?: boolean;
  maxItems?: number;
  propertyNames?: TSchema;
  additionalProperties?: TSchema | boolean;
  maxProperties?: number;
  fault?: string;
}

/** Of a list or map that is too long, nothing more is checked: Ajv would report every entry. */
function bounded(schema: TSchema): TSchema {
  const { properties, items, uniqueItems, propertyNames, additionalProperties, ...rest } =
    schema as Described;
  const { maxItems, maxProperties, fault } = rest;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, bounded(field)]);
  const outer = { ...rest, ...(properties && { properties: Object.fromEntries(fields) }) };
  const inner = {
    ...(items && { items: bounded(items) }),
    ...(uniqueItems && { uniqueItems, fault }),
    ...(propertyNames && { propertyNames }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
  if (maxItems !== undefined) return { ...outer, if: { maxItems }, ['then' as string]: inner };
  if (maxProperties === undefined) return { ...outer, ...inner };
  return { ...outer, if: { maxProperties }, ['then' as string]: inner };
}

function isMemberId(_: true, value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 1;
  if (typeof value !== 'string' && typeof value !== 'bigint') return false;
  const digits = String(value);
  if (digits.length > MAX_MEMBER_ID.length || !/^[1-9][0-9]*$/.test(digits)) return false;
  return digits.length < MAX_MEMBER_ID.length || digits <= MAX_MEMBER_ID;
}

/** Ajv counts code points one by one; text that is short enough in UTF-16 units needs no count. */
export function hasAtMost(length: number, text: string): boolean {
  if (text.length <= length) return text.length > 0;
  return text.length <= 2 * length && [...text].length <= length;
}

function isIntegerText(range: { minimum: number; maximum?: number }, text: string): boolean {
  const { minimum, maximum = 1e15 - 1 } = range;
  return /^(0|-?[1-9]\d{0,15})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

/** Anything but digits is left to the pattern. */
function isUint256(_: true, text: string): boolean {
  return !/^\d{1,78}$/.test(text) || BigInt(text) < 2n ** 256n;
}

/** Control, format (such as direction marks) and private characters; letters without a glyph. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/u;
/** The zero-width joiner is legitimate within an emoji, such as that of a family. */
const JOINED_EMOJI = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D/gu;

function isVisible(_: true, text: string): boolean {
  return /[^\s\p{M}]/u.test(text) && !INVISIBLE.test(text.replaceAll(JOINED_EMOJI, ''));
}

/** The years that have four digits in UTC; a zone offset can lead outside them. */
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function isInstant(which: true | 'future', value: unknown): boolean {
  if (typeof value !== 'string') return value === null;
  const [, day] = RFC_3339.exec(value) ?? [];
  if (day === undefined || !isDay(day)) return false;
  const at = Date.parse(value);
  if (!(at >= FIRST_INSTANT && at <= LAST_INSTANT)) return false;
  return which !== 'future' || at > Date.now();
}

/** Date.parse reads February 30 as March 2. */
function isDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/** Whether a free-form value can be stored and returned without loss. */
function isExact({ maxBytes }: { maxBytes: number }, value: unknown): boolean {
  return !hasInexact(value) && Buffer.byteLength(JSON.stringify(value)) <= maxBytes;
}

/** Above 2^53-1 a double loses digits, however the number is written; JSON has no infinity. */
function hasInexact(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value === 'number') {
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexact);
}
