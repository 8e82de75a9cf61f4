import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { type Operation, takesIdempotencyKey } from './operation.ts';
import { invalidRequest, ProblemError } from './problems.ts';
import { MAX_FAULTS, type RequestFault } from './request-fault.ts';
import { ajv, lazyValidation } from './schema-compiler.ts';
import { AssetId, addressIn, MAX_WALLET_TEXT, MemberId, RealmId, RealmPointId } from './schemas.ts';
import { Type } from './type.ts';

export const IdempotencyKey = Type.String({
  pattern: '^[\\x21-\\x7e]{1,255}$',
  description: 'Retries with the same key and the same request take effect once.',
  fault: 'must be a single header of 1 to 255 visible ASCII characters',
});

const pathParameters = {
  realmID: RealmId,
  memberID: MemberId,
  realmPointId: RealmPointId,
  assetId: AssetId,
  transactionID: recordNumber('The number of a transaction.'),
  holdID: recordNumber('The number of a hold.'),
  seq: recordNumber('The number of an event.'),
  address: addressIn('The address of a wallet, in any form that the wallet check accepts.', {
    examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
    fault: `must be a wallet address of at most ${MAX_WALLET_TEXT} characters`,
  }),
  keyID: assignedId('key', 'k3Jx81PzQw2m', 'The public id of a key.'),
  sessionID: assignedId('session', 'Vb81PzQw2mk3'),
  webhookID: assignedId('webhook', 'q7Lm20RtYb5c'),
  verificationID: Type.String({
    pattern: '^[0-9A-Za-z_-]{1,64}$',
    description: 'The id of a check.',
    examples: ['kP3xVq81mZ0a'],
    fault: 'must be the id of a check: letters, digits, hyphens and underscores',
  }),
} satisfies Record<string, TSchema>;

type ParameterName = keyof typeof pathParameters;

function recordNumber(description: string): TSchema {
  return Type.String({
    pattern: '^[1-9][0-9]{0,14}$',
    description,
    examples: ['982'],
    fault: 'must be an integer from 1, of at most 15 digits, without leading zeros',
  });
}

function assignedId(noun: string, example: string, description = `The id of a ${noun}.`): TSchema {
  return Type.String({
    pattern: '^[0-9A-Za-z]{1,64}$',
    description,
    examples: [example],
    fault: `must be the id of a ${noun}, which has only letters and digits`,
  });
}

export const pathParameterNames = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '');

/** The parameters of a path with their schemas. */
export const pathFields = (path: string): Record<string, TSchema> =>
  Object.fromEntries(
    pathParameterNames(path).map((name) => [name, pathParameters[name as ParameterName] ?? {}]),
  );

/** Whether text is valid as this parameter of a path. Ajv compiles each schema once. */
export const isParameter =
  (name: ParameterName) =>
  (text: string): boolean =>
    ajv.validate(pathParameters[name], text);

/** Whether an operation takes these values as its query. */
export const isQueryOf = ({ query }: Operation, values: object): boolean =>
  query === undefined || ajv.validate(query, values);

/** A request as its schemas see it. */
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
): (parts: RequestParts) => void {
  const validation = lazyValidation(requestSchema(operation));
  const mustHaveBody = operation.body !== undefined && !operation.body.optional;
  return (parts) => {
    const { body, params } = parts;
    if (mustHaveBody && body === undefined) {
      const reason = 'The body is empty. Send a JSON object.';
      throw new ProblemError('malformed-json', { reason });
    }
    const validate = validation();
    const faults = validate(parts) ? [] : faultsIn(validate.errors);
    if (furtherFaults && isObject(body)) faults.push(...furtherFaults(body, params as Fields));
    if (faults.length > 0) throw invalidRequest(firstOfEach(faults));
  };
}

/** All parts as one schema. A body may be absent here. */
function requestSchema(operation: Operation): TSchema {
  const { path, query, body } = operation;
  const headers = {
    ...(operation.headers as Described | undefined)?.properties,
    ...(takesIdempotencyKey(operation) && { 'idempotency-key': Type.Optional(IdempotencyKey) }),
  };
  return Type.Object({
    params: Type.Object(pathFields(path)),
    ...(query && { query }),
    headers: Type.Object(headers),
    ...(body && { body: Type.Optional(body.schema) }),
  });
}

/** Checks one entry of the list in the body by itself; the pointers begin at the entry. */
export function entryCheck({ body }: Operation): (entry: unknown) => RequestFault[] {
  const { properties = {} } = (body?.schema ?? {}) as Described;
  const { items = {} } = Object.values(properties).at(-1) as Described;
  const validation = lazyValidation(Type.Object({ body: items }));
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

const isObject = (value: unknown): value is Record<string, unknown> =>
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
  const fault = (error.parentSchema as { fault?: string } | undefined)?.fault;
  if (fault) return fault;
  return error.keyword === 'type'
    ? `must be ${article(error.params.type)}`
    : (error.message ?? 'is not valid');
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

export const IGNORED_HEADER = 'x-realmkeep-ignored';

/** Enough to find a mistake, whatever the body is. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;
const MAX_HEADER_LENGTH = 1_000;

/** Whatever could end a name or a header, and everything but visible ASCII. */
const UNSAFE = /[^\x21-\x24\x26-\x2b\x2d-\x7e]/gu;

const MORE = '...';

interface Described {
  properties?: Record<string, TSchema>;
  items?: TSchema;
}

/**
 * The fields of a body that its schema does not have, each by its path such as `entries.tokns`,
 * separated by commas, and `...` if there are more. Empty if there are none.
 */
export function ignoredFields(body: unknown, schema: TSchema): string {
  const names = new Set<string>();
  addIgnored(names, body, schema, '');
  let text = '';
  for (const name of names) {
    if (text.length + name.length > MAX_HEADER_LENGTH) return `${text},${MORE}`;
    text += `${text && ','}${name}`;
  }
  return text;
}

/** Free-form values are not looked into. */
function addIgnored(names: Set<string>, value: unknown, schema: TSchema, path: string): void {
  const { properties, items } = schema as Described;
  if (Array.isArray(value)) {
    const isOfObjects = items && 'properties' in items;
    if (isOfObjects) for (const item of value) addIgnored(names, item, items, path);
  } else if (properties && isObject(value)) {
    for (const key in value) {
      const field = value[key];
      if (!Object.hasOwn(properties, key)) addName(names, `${path}${shown(key)}`);
      else addIgnored(names, field, properties[key] ?? {}, `${path}${key}.`);
    }
  }
}

/** The entries of a list often have the same ones. */
function addName(names: Set<string>, name: string): void {
  if (!names.has(name)) names.add(names.size < MAX_NAMES ? name : MORE);
}

/** Percent-encoded where a header could not carry it. */
function shown(key: string): string {
  if (key === '') return '""';
  const start = key.length > MAX_NAME_LENGTH ? `${key.slice(0, MAX_NAME_LENGTH)}...` : key;
  return start.toWellFormed().replace(UNSAFE, encodeURIComponent);
}
