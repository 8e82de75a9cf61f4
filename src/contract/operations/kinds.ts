import Type, { type Static } from 'typebox';
import { define } from '../operation.ts';
import * as s from '../schemas.ts';

const BOUND = `must be a JSON integer from -${s.MAX_TOKENS} to ${s.MAX_TOKENS}`;
const bound = (description: string) =>
  Type.Integer({ minimum: -s.MAX_TOKENS, maximum: s.MAX_TOKENS, description, fault: BOUND });

const fields = {
  symbol: Type.Optional(s.nullableSign(16, 'A short sign for amounts, such as `★`.')),
  isDefault: Type.Optional(
    Type.Boolean({
      description:
        'The kind that is meant where none is named. One kind is; naming another moves it.',
      fault: 'must be true or false',
    }),
  ),
  isTransferable: Type.Optional(
    Type.Boolean({
      description: 'Whether members may give these points to each other. Default true.',
      fault: 'must be true or false',
    }),
  ),
  minimumBalance: Type.Optional(bound('The floor of every balance. Default 0; may be negative.')),
  maximumBalance: Type.Optional(bound('The ceiling of every balance. Default 2^53-1.')),
};

const Name = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The name shown to people.',
  examples: ['Gems'],
  visible: true,
  fault: 'must be text of 1 to 64 characters that can be seen',
});

export const PointKind = Type.Object({
  id: s.RealmPointId,
  name: Type.String(),
  symbol: s.nullable(Type.String()),
  isDefault: Type.Boolean(),
  isTransferable: Type.Boolean(),
  minimumBalance: Type.Integer(),
  maximumBalance: Type.Integer(),
});

const example: Static<typeof PointKind> = {
  id: 'gems',
  name: 'Gems',
  symbol: '◆',
  isDefault: false,
  isTransferable: true,
  minimumBalance: 0,
  maximumBalance: 1_000_000,
};

export const listKinds = define({
  tag: 'Kinds of points',
  summary: 'List kinds of points',
  description: 'Every kind of points of the realm. Every realm starts with `points`.',
  answer: {
    status: 200,
    schema: s.listOf(PointKind),
    example: { items: [example], nextCursor: null },
  },
  problems: [],
});

export const createKind = define({
  tag: 'Kinds of points',
  summary: 'Create a kind of points',
  description:
    'Every member has a balance of 0 in it at once. A kind is for good: it has no DELETE.',
  body: {
    schema: Type.Object({ id: s.RealmPointId, name: Name, ...fields }),
    example: { id: 'gems', name: 'Gems', symbol: '◆', maximumBalance: 1_000_000 },
  },
  answer: { status: 201, schema: PointKind, example },
  problems: ['realm-point-exists', 'bounds-crossed', 'limit-reached'],
});

export const updateKind = define({
  tag: 'Kinds of points',
  summary: 'Change a kind of points',
  description:
    'Changes the fields that are sent. New bounds hold for movements from now on; a balance that ' +
    'is already outside them stays until it moves.',
  body: {
    schema: Type.Object({ name: Type.Optional(Name), ...fields }),
    example: { isTransferable: false },
  },
  answer: { status: 200, schema: PointKind, example: { ...example, isTransferable: false } },
  problems: ['realm-point-not-found', 'default-required', 'bounds-crossed'],
});
