/** The realm has to be projected up to the seq before the query is answered. */
export class ProjectionsBehind extends Error {
  readonly end: number;

  constructor(end: number) {
    super('the projections are behind the journal');
    this.end = end;
  }
}
