import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { type Operation, takesIdempotencyKey } from './operation.ts';
import { invalidRequest, ProblemError } from './problems.ts';
import { MAX_FAULTS, type RequestFault } from './request-fault.ts';
import { ajv, lazyValidation } from './schema-compiler.ts';
import {
  AssetId,
  addressIn,
  MAX_WALLET_TEXT,
  MemberId,
  RealmId,
  RealmPointId,
  VerificationId,
} from './schemas.ts';
import { Type } from './type.ts';

export const IdempotencyKey = Type.String({
  pattern: '^[\\x21-\\x7e]{1,255}$',
  description: 'Retries with the same key and the same request take effect once.',
  fault: 'must be a single header of 1 to 255 visible ASCII characters',
});

const headers = Type.Object({ 'idempotency-key': Type.Optional(IdempotencyKey) });

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
  verificationID: VerificationId,
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

export interface RequestParts {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

type Check = (parts: RequestParts) => readonly RequestFault[];

const NO_FAULTS: readonly RequestFault[] = [];

type Fields = Readonly<Record<string, unknown>>;

/** Finds faults that a schema cannot express. */
export type BodyFaults = (body: Fields, params: Fields) => RequestFault[];

/** The same for one entry of the list in a large body; the pointer is that of the entry. */
export type EntryFaults = (entry: Fields, pointer: string, body: Fields) => RequestFault[];

/** Checks requests of one operation; throws a problem with all faults, up to the bound. */
interface RequestCheck {
  check(parts: RequestParts): void;
  checkInSlices(parts: RequestParts): Generator<void, void>;
}

export function requestCheck(
  operation: Operation,
  furtherFaults?: BodyFaults,
  entryFaults?: EntryFaults,
): RequestCheck {
  const { path, query, body, large } = operation;
  const list = body && large ? listCheck(body.schema, entryFaults) : null;
  const checks: Check[] = [partCheck('params', '/path', Type.Object(pathFields(path)))];
  if (query) checks.push(partCheck('query', '/query', query));
  if (operation.headers) checks.push(partCheck('headers', '/header', operation.headers));
  if (takesIdempotencyKey(operation)) checks.push(partCheck('headers', '/header', headers));
  if (body) checks.push(bodyCheck({ ...body, schema: list?.rest ?? body.schema }, furtherFaults));
  const find = (parts: RequestParts): readonly RequestFault[] => {
    let faults = NO_FAULTS;
    for (const check of checks) {
      const found = check(parts);
      if (found.length > 0) faults = faults.concat(found);
    }
    return faults;
  };
  function* checkInSlices(parts: RequestParts): Generator<void, void> {
    const faults = new Faults(find(parts));
    if (list) yield* list.addFaults(parts.body, faults);
    faults.throwIfAny();
  }
  const check = (parts: RequestParts): void => {
    if (list) for (const _ of checkInSlices(parts));
    else {
      const faults = find(parts);
      if (faults.length > 0) new Faults(faults).throwIfAny();
    }
  };
  return { check, checkInSlices };
}

/** The first fault of each place, up to the bound. */
class Faults {
  readonly #byPlace = new Map<string, RequestFault>();

  constructor(faults: readonly RequestFault[]) {
    for (const fault of faults) this.add(fault);
  }

  get isFull(): boolean {
    return this.#byPlace.size === MAX_FAULTS;
  }

  add(fault: RequestFault): void {
    if (!this.isFull && !this.#byPlace.has(fault.pointer)) this.#byPlace.set(fault.pointer, fault);
  }

  get all(): RequestFault[] {
    return [...this.#byPlace.values()];
  }

  throwIfAny(): void {
    if (this.#byPlace.size > 0) throw invalidRequest(this.all);
  }
}

/** Entries that are checked before other work has its turn: well below a millisecond. */
const ENTRIES_PER_SLICE = 64;

/**
 * The check of the entries of a long list, apart from the rest of its body: it stops at the bound
 * of faults and can pause. Ajv would find all 40,000 faults of 10,000 entries.
 */
function listCheck(schema: TSchema, furtherFaults: EntryFaults | undefined) {
  const { properties = {} } = schema as { properties?: Record<string, BoundedList> };
  const [name = '', list = {}] = Object.entries(properties).at(-1) ?? [];
  const { items, maxItems = 0 } = list;
  // Faults appear in the order of the schema, so those of the entries have to be its last ones.
  if (!items) throw new Error('the last property of a large body must be a list');
  const validation = lazyValidation(items);
  return {
    rest: { ...schema, properties: { ...properties, [name]: { ...list, items: {} } } } as TSchema,
    *addFaults(body: unknown, faults: Faults): Generator<void, void> {
      const entries = (body as Record<string, unknown> | null | undefined)?.[name];
      if (!Array.isArray(entries) || entries.length > maxItems) return;
      const validate = validation();
      for (let index = 0; index < entries.length && !faults.isFull; index++) {
        const entry = entries[index];
        if (!validate(entry)) {
          const prefix = `/${name}/${index}`;
          for (const error of validate.errors ?? []) faults.add(faultOf(error, prefix));
        }
        if (furtherFaults && isObject(entry)) {
          const found = furtherFaults(entry, `/${name}/${index}`, body as Fields);
          for (const fault of found) faults.add(fault);
        }
        // Further faults take longer to find: an entry may have 50 addresses.
        if (furtherFaults || index % ENTRIES_PER_SLICE === 0) yield;
      }
    },
  };
}

/** Checks one entry of the list in a large body by itself; the pointers begin at the entry. */
export function entryCheck({ body }: Operation): (entry: unknown) => RequestFault[] {
  const { properties = {} } = (body?.schema ?? {}) as { properties?: Record<string, BoundedList> };
  const check = partCheck('body', '', Object.values(properties).at(-1)?.items ?? {});
  return (entry) => {
    const faults = check({ params: null, query: null, headers: null, body: entry });
    return faults.length === 0 ? [] : new Faults(faults).all;
  };
}

function partCheck(part: keyof RequestParts, prefix: string, schema: TSchema): Check {
  const validation = lazyValidation(schema);
  return (parts) => {
    const validate = validation();
    if (validate(parts[part])) return NO_FAULTS;
    return (validate.errors ?? []).map((error) => faultOf(error, prefix));
  };
}

function bodyCheck(
  { schema, optional }: NonNullable<Operation['body']>,
  furtherFaults: BodyFaults | undefined,
): Check {
  const overlong = overlongLists(schema);
  const check = partCheck('body', '', schema);
  return (parts) => {
    const { body } = parts;
    if (body === undefined) {
      if (optional) return NO_FAULTS;
      const reason = 'The body is empty. Send a JSON object.';
      throw new ProblemError('malformed-json', { reason });
    }
    const tooLong = overlong(body);
    if (tooLong.length > 0) return tooLong;
    const faults = check(parts);
    if (!furtherFaults || !isObject(body)) return faults;
    return faults.concat(furtherFaults(body, parts.params as Fields));
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Lists that are too long are rejected by their length alone: checking each of two million entries
 * took 13 seconds, in which no other request was served.
 */
function overlongLists(schema: TSchema): (body: unknown) => RequestFault[] {
  const { properties = {} } = schema as { properties?: Record<string, BoundedList> };
  const lists = Object.entries(properties).filter(([, list]) => list.maxItems !== undefined);
  return (body) =>
    lists.flatMap(([name, { maxItems = 0, fault = 'is too long' }]) => {
      const sent = (body as Record<string, unknown> | null)?.[name];
      const isTooLong = Array.isArray(sent) && sent.length > maxItems;
      return isTooLong ? [{ pointer: `/${name}`, detail: fault }] : [];
    });
}

interface BoundedList {
  items?: TSchema;
  maxItems?: number;
  fault?: string;
}

function faultOf(error: ErrorObject, prefix: string): RequestFault {
  const missing = error.keyword === 'required' ? `/${error.params.missingProperty}` : '';
  return { pointer: `${prefix}${error.instancePath}${missing}`, detail: sentence(error) };
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
