import { Unavailable } from '../../../engine/errors.ts';

/** The realm has to be projected up to the seq before the query is answered. */
export class ProjectionsBehind extends Error {
  readonly end: number;

  constructor(end: number) {
    super('the projections are behind the journal');
    this.end = end;
  }
}

/** For whoever has waited as long as a query may. */
export const stillBehind = (): Unavailable =>
  new Unavailable('projection-behind', 'the projections are behind the journal');
