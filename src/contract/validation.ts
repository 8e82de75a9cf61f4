import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import Type, { type TSchema } from 'typebox';
import type { Operation } from './operation.ts';
import { invalidRequest, ProblemError, type RequestFault } from './problems.ts';
import { MAX_MEMBER_ID, MemberId, RealmId } from './schemas.ts';

/** Enough for a caller to act on, whatever a list of 10,000 entries gets wrong. */
const MAX_FAULTS = 100;

const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
for (const keyword of ['fault', 'integerInQuery']) ajv.addKeyword(keyword);
ajv.addKeyword({ keyword: 'memberId', validate: (_: true, value: unknown) => isMemberId(value) });
ajv.addKeyword({
  keyword: 'instant',
  validate: (which: true | 'future', value: unknown) => isInstant(which, value),
});
ajv.addKeyword({
  keyword: 'exact',
  validate: ({ maxBytes }: { maxBytes: number }, value: unknown) => isExact(value, maxBytes),
});

const headers = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description: 'A retry with the same key and the same request has one effect.',
      fault: 'must be one header of 1 to 255 visible ASCII characters',
    }),
  ),
});

export const IdempotencyKey = headers.properties['idempotency-key'];

/** The parameters that stand in paths. */
export const pathParameters: Record<string, TSchema> = {
  realmID: RealmId,
  memberID: MemberId,
  keyID: Type.String({
    pattern: '^[0-9A-Za-z]{1,64}$',
    description: 'The public id of a key.',
    examples: ['k3Jx81PzQw2m'],
    fault: 'must be the id of a key: letters and digits',
  }),
};

export const pathParameterNames = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '');

export interface RequestParts {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/** Makes the check of one operation's requests: it throws a problem that names every fault. */
export function requestCheck(operation: Operation): (parts: RequestParts) => void {
  const checks: [keyof RequestParts, string, ValidateFunction][] = [
    ['params', '/path', ajv.compile(paramsSchema(operation.path))],
  ];
  if (operation.query) checks.push(['query', '/query', ajv.compile(operation.query)]);
  if (operation.method === 'POST' || operation.method === 'PATCH') {
    checks.push(['headers', '/header', ajv.compile(headers)]);
  }
  if (operation.body) checks.push(['body', '', ajv.compile(operation.body.schema)]);
  const bodyRequired = operation.body !== undefined && !operation.body.optional;
  return (parts) => {
    let faults: RequestFault[] | undefined;
    for (const [part, prefix, validate] of checks) {
      if (part === 'body' && parts.body === undefined && !bodyRequired) continue;
      if (validate(parts[part])) continue;
      if (part === 'body' && parts.body === undefined) {
        throw new ProblemError('malformed-json', {
          reason: 'The body is empty. Send a JSON object.',
        });
      }
      faults = (faults ?? []).concat(faultsOf(validate.errors ?? [], prefix));
    }
    if (faults) throw invalidRequest(faults.slice(0, MAX_FAULTS));
  };
}

function paramsSchema(path: string): TSchema {
  const names = pathParameterNames(path);
  return Type.Object(
    Object.fromEntries(names.map((name) => [name, pathParameters[name] ?? Type.String()])),
  );
}

/** One sentence for each place: the first fault there is the one to mend first. */
function faultsOf(errors: ErrorObject[], prefix: string): RequestFault[] {
  const byPlace = new Map<string, string>();
  for (const error of errors) {
    const missing = error.keyword === 'required' ? `/${error.params.missingProperty}` : '';
    const pointer = `${prefix}${error.instancePath}${missing}`;
    if (!byPlace.has(pointer)) byPlace.set(pointer, sentence(error));
  }
  return Array.from(byPlace, ([pointer, detail]) => ({ pointer, detail }));
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

function isMemberId(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 1;
  if (typeof value !== 'string' && typeof value !== 'bigint') return false;
  const digits = String(value);
  if (digits.length > MAX_MEMBER_ID.length || !/^[1-9][0-9]*$/.test(digits)) return false;
  return digits.length < MAX_MEMBER_ID.length || digits <= MAX_MEMBER_ID;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function isInstant(which: true | 'future', value: unknown): boolean {
  if (typeof value !== 'string') return value === null;
  if (!RFC_3339.test(value)) return false;
  const at = Date.parse(value);
  return which === 'future' ? at > Date.now() : !Number.isNaN(at);
}

/** Whether a free-form value can be kept and given back to the digit. */
function isExact(value: unknown, maxBytes: number): boolean {
  if (hasBigInt(value)) return false;
  return Buffer.byteLength(JSON.stringify(value)) <= maxBytes;
}

function hasBigInt(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigInt);
}
