import type { TSchema } from 'typebox';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { pathParameterNames } from '../../src/contract/parameters.ts';
import { type ProblemCode, problems } from '../../src/contract/problems.ts';
import { schemasOf } from '../openapi/call.ts';
import { exampleMembers } from '../openapi/example.ts';
import { problemCodes, problemSchema } from '../openapi/problem-answers.ts';
import { eventTypes } from './event-types.ts';
import { comment, indented, outdented, propertyName, quoted, union } from './print.ts';
import { nameOf, spelledOut, typeOf } from './schema-type.ts';

const HEAD = outdented(`
  /**
   * Generated from src/contract by \`npm run client-types\`: change the contract, not this file.
   */

  /** A member id: digits, or a bigint. Discord ids exceed what a number holds. */
  export type MemberId = string | bigint;

  /** A sum of points: a bigint where it exceeds what a number holds. \`Number(sum)\` rounds it. */
  export type Sum = number | bigint;

  /** An instant in a request: RFC 3339, or a Date. In an answer it is always RFC 3339 in UTC. */
  export type Instant = string | Date;
`);

const EVENTS = outdented(`
  /** An entry of the event feed, by its type. A later service may send other types as well. */
  export type RealmEvent<T extends EventType = EventType> = {
    [K in T]: {
      /** Its number in the realm’s journal: 1, 2, 3, … without gaps. */
      seq: number;
      type: K;
      /** RFC 3339, in UTC, with milliseconds. */
      at: string;
      /** The caller: \`root\`, \`cli\`, \`service\` or \`key:<public id>\`. */
      actor: string;
      /** For whom the actor did it, if it said so. */
      onBehalfOf?: string;
      /**
       * \`occurredAt\` is there if the journal was ahead of the clock. \`erased\` is there if what
       * the event says of a person was erased: then those fields are missing, even required ones.
       */
      data: EventData[K] & { occurredAt?: string; erased?: true };
    };
  }[T];

  export type EventType = keyof EventData;
`);

const table = Object.entries<Operation>(operations);

/** The whole file of the client that is generated. */
export function clientTypes(): string {
  const named = namedSchemas();
  return [
    HEAD,
    declare('ProblemBody', problemSchema as TSchema, false),
    ...Array.from(named, ([title, schema]) =>
      declare(nameOf(title), schema, title.endsWith('Body')),
    ),
    EVENTS,
    `${eventTypes(new Set(named.keys()))}\n`,
    problemDetails(),
    operationTypes(),
    operationTable(),
  ]
    .join('\n')
    .replaceAll(/ +$/gm, '');
}

function declare(name: string, schema: TSchema, isSent: boolean): string {
  const { description } = schema as { description?: string };
  const type = spelledOut(schema, { depth: 0, isSent });
  const declaration = type.startsWith('{')
    ? `interface ${name} ${type}`
    : `type ${name} = ${type};`;
  return `${comment(description, 0)}export ${declaration}\n`;
}

/** Every schema with a title, in the order in which operations use them; events have types. */
function namedSchemas(): Map<string, TSchema> {
  const found = new Map<string, TSchema>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value)) visit(inner);
    const { title } = value as { title?: string };
    if (typeof title === 'string' && title !== 'Event') found.set(title, value as TSchema);
  };
  for (const [id, operation] of table) for (const schema of schemasOf(id, operation)) visit(schema);
  return found;
}

/** The members that a problem has beyond those of every problem, by the example of its kind. */
function problemDetails(): string {
  const rows = (Object.keys(problems) as ProblemCode[]).map(
    (code) => `${propertyName(code)}: ${exampleType(exampleMembers(code))};\n`,
  );
  const about = 'What a problem tells beyond the members that all have, by its code.';
  return `${comment(about, 0)}export interface ProblemDetails {\n${indented(rows.join(''))}}\n`;
}

/** Those of members that no example shows whole. */
const MEMBER_TYPES: Record<string, string> = {
  opensAt: 'string | null',
  closesAt: 'string | null',
  nextAt: 'string | null',
  costs: 'Record<string, number>',
  requirement: "NonNullable<Offer['requires']>",
  offerStatus: "Offer['status']",
  claimStatus: "Claim['status']",
};

function exampleType(value: unknown): string {
  if (Array.isArray(value)) return `${exampleType(value[0])}[]`;
  if (typeof value !== 'object' || value === null) return typeof value;
  const fields = Object.entries(value).map(
    ([name, each]) => `${name}: ${MEMBER_TYPES[name] ?? exampleType(each)}`,
  );
  return fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`;
}

const sets = table.map(([, operation]) => new Set(problemCodes(operation)));
const everywhere = (Object.keys(problems) as ProblemCode[]).filter((code) =>
  sets.every((codes) => codes.has(code)),
);

function operationTypes(): string {
  const rows = table.map(([id, operation]) => {
    const fields = [
      `path: ${pathType(operation)};`,
      `fields: ${fieldsType(id, operation)};`,
      `answer: ${answerType(id, operation)};`,
      `problem: ${union(ownProblems(operation), 13, 4)};`,
    ];
    return `${comment(`${operation.summary}.`, 2)}${id}: {\n${indented(fields.join('\n'))}\n};\n`;
  });
  return [
    comment('The problems that every call can have.', 0),
    `export type CommonProblem = ${union(everywhere.map(quoted), 30, 0)};\n\n`,
    comment('The whole API: what a call takes, what it answers, and how it can fail.', 0),
    `export interface Operations {\n${indented(rows.join(''))}}\n\n`,
    'export type OperationId = keyof Operations;\n',
  ].join('');
}

const ownProblems = (operation: Operation): string[] => [
  'CommonProblem',
  ...problemCodes(operation)
    .filter((code) => !everywhere.includes(code))
    .map(quoted),
];

const PATH_TYPES: Record<string, string> = {
  memberID: 'MemberId',
  transactionID: 'number',
  holdID: 'number',
  claimID: 'number',
  deliveryID: 'number',
  seq: 'number',
};

function pathType({ path }: Operation): string {
  const fields = pathParameterNames(path).map((name) => `${name}: ${PATH_TYPES[name] ?? 'string'}`);
  return fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`;
}

/** GET and DELETE take their fields in the query, the others in the body. */
function fieldsType(id: string, operation: Operation): string {
  const { method, query, body } = operation;
  if (method === 'GET' || method === 'DELETE') {
    const place = { depth: 4, isSent: true };
    return query === undefined ? 'Record<never, never>' : typeOf(query, place);
  }
  const [titled] = schemasOf(id, operation);
  return body === undefined || titled === undefined ? 'Record<never, never>' : typeOf(titled);
}

function answerType(id: string, operation: Operation): string {
  const titled = schemasOf(id, operation).at(-1);
  return operation.answer.schema === null || titled === undefined ? 'void' : typeOf(titled);
}

function operationTable(): string {
  const rows = table.map(([id, { method, path }]) => {
    const row = `${id}: ['${method}', '${path}'],\n`;
    return row.length <= 98 ? row : `${id}: [\n  '${method}',\n  '${path}',\n],\n`;
  });
  const about = comment('The method and path of each operation.', 0);
  const shape = 'as const satisfies Record<OperationId, readonly [string, string]>';
  return `${about}export const operations = {\n${indented(rows.join(''))}} ${shape};\n`;
}
