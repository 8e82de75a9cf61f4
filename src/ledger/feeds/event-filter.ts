/** Selects events by their types. */
export class EventFilter {
  /** The same for all filters that select the same; '' for one that selects everything. */
  readonly key: string;
  /** Null for one that selects everything. */
  readonly types: ReadonlySet<string> | null;

  /** The types as in a query: separated by commas, or a list of such texts. None selects all. */
  constructor(types?: string | readonly string[]) {
    const all = types === undefined ? null : [types].flat().flatMap((text) => text.split(','));
    this.types = all && new Set(all);
    this.key = [...(this.types ?? [])].sort().join(',');
  }

  admits(type: string): boolean {
    return this.types === null || this.types.has(type);
  }
}
