import type { TProperties, TSchema } from 'typebox';
import { ok } from './operation.ts';
import { integerInQuery, nullable, optional, text } from './schemas.ts';
import { named, Type } from './type.ts';

export const CURSOR_FAULT =
  'must be the nextCursor of an earlier page of this list, as returned, alone or with its filters';

export const NextCursor = nullable(
  text('Pass it as `cursor` to get the next page; only the last page has null.'),
);

/** The most rows of a page, and how many it has if nothing is said. */
export const MAX_PAGE = 500;
export const DEFAULT_PAGE = 50;

export const PageQuery = optional({
  limit: integerInQuery(
    { minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE },
    `The most rows of a page, 1 to ${MAX_PAGE}. A page also ends at about 1 MiB.`,
  ),
  cursor: Type.String({
    maxLength: 4096,
    description: 'The `nextCursor` of the previous page.',
    fault: CURSOR_FAULT,
  }),
});

export const listAnswer = <T extends TSchema>(item: T) =>
  ok(
    named(`${(item as { title?: string }).title}List`, {
      items: Type.Array(item),
      nextCursor: NextCursor,
    }),
  );

/** The query and the answer of a list in pages. */
export const pagesOf = <T extends TSchema, P extends TProperties = Record<never, never>>(
  item: T,
  filters?: P,
) => ({
  query: Type.Object({ ...PageQuery, ...optional(filters ?? ({} as P)) }),
  answer: listAnswer(item),
});
