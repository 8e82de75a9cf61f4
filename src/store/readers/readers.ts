import type {
  QueryName,
  QueryParams,
  QueryResult,
  VerificationQuery,
} from '../../domain/queries.ts';
import type { Operation } from '../statement.ts';

/** Answers each query by an operation. Those that check realms are answered elsewhere. */
export type Readers = {
  [N in Exclude<QueryName, VerificationQuery | 'ready'>]: (
    params: QueryParams<N>,
  ) => Operation<QueryResult<N>>;
};
