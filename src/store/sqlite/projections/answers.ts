import {
  PROJECTION_QUERIES,
  type ProjectionQuery,
  type QueryParams,
  type QueryResult,
  type Reader,
} from '../../../domain/queries.ts';

type AnswerTo = <N extends ProjectionQuery>(
  name: N,
  params: QueryParams<N>,
) => QueryResult<N> | Promise<QueryResult<N>>;

/** A reader that answers all queries of projections in the same way. */
export const readerOf = (answer: AnswerTo) =>
  Object.fromEntries(
    PROJECTION_QUERIES.map((name) => [name, (params: never) => answer(name, params)]),
  ) as unknown as Pick<Reader, ProjectionQuery>;
