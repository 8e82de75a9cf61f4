import type { Static } from 'typebox';
import type { PointKind as KindModel } from '../../domain/model.ts';
import { created, defineFor, ok } from '../operation.ts';
import { listAnswer } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Kinds of points');

const bound = (description: string, example: number) => ({
  ...s.integerIn(-s.MAX_TOKENS, s.MAX_TOKENS, description),
  examples: [example],
});

const Name = s.visibleIn(64, 'The display name.', 'Gems');

const fields = {
  symbol: s.nullable(s.visibleIn(16, 'A short symbol for amounts, such as `★`.', '◆')),
  isDefault: s.booleanIn(
    'Whether calls that name no kind mean this one. Exactly one kind is the default; setting ' +
      'another one moves it.',
  ),
  isTransferable: {
    ...s.booleanIn('Whether members may transfer these points to each other. Default true.'),
    examples: [true],
  },
  minimumBalance: bound('The lowest allowed balance. Default 0; may be negative.', 0),
  maximumBalance: bound('The highest allowed balance. Default 2^53-1.', 1_000_000),
};

const Archived = s.booleanIn(
  'Whether the points cannot be moved. The default kind cannot be archived.',
);

const PointKind = named('Kind', {
  id: s.RealmPointId,
  name: Name,
  ...fields,
  archived: Archived,
});

/** A kind of points to create, by itself or with its realm. */
export const NewKind = Type.Object({
  id: s.NewRealmPointId,
  name: Name,
  ...s.optional(fields),
});

/** The fields of a kind that can be chosen when it is created and changed later. */
export const kindFields = ['name', ...Object.keys(fields)] as ('name' | keyof typeof fields)[];

/** The kind that was asked for, with defaults for what was not sent. */
export function newKindOf(sent: Static<typeof NewKind>): KindModel {
  const { id, name, symbol = null, isDefault = false, isTransferable = true } = sent;
  const { minimumBalance = 0, maximumBalance = s.MAX_TOKENS } = sent;
  const bounds = { minimumBalance, maximumBalance };
  return { id, name, symbol, isDefault, isTransferable, ...bounds, archived: false };
}

export const listKinds = define({
  summary: 'List kinds of points',
  description:
    'All kinds of points of the realm. It starts with `points`, or with those that were given ' +
    'when it was created.',
  answer: listAnswer(PointKind),
});

export const createKind = define({
  isStrict: true,
  summary: 'Create a kind of points',
  description:
    'Adds a kind of points, in which every member starts with a balance of 0. A kind cannot be ' +
    'deleted, but archived.',
  body: NewKind,
  example: { id: 'gems', name: 'Gems', symbol: '◆', maximumBalance: 1_000_000 },
  answer: created(PointKind, { id: 'gems' }),
  problems: ['realm-point-exists', 'bounds-crossed', 'limit-reached'],
});

export const updateKind = define({
  isStrict: true,
  summary: 'Change a kind of points',
  description:
    'Changes only the fields that are present. New bounds apply to movements from now on; a ' +
    'balance that is already outside them stays until it changes. The points of an archived kind ' +
    'can be read but not moved: credits, debits, transfers, holds, captures and reversals are ' +
    'refused. Open holds can be released, and expire.',
  body: Type.Object(s.optional({ name: Name, ...fields, archived: Archived })),
  example: { isTransferable: false },
  answer: ok(PointKind, { id: 'gems', isTransferable: false }),
  problems: ['default-required', 'default-archived', 'bounds-crossed'],
});
