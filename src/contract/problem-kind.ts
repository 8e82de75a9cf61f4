export type Extra = Record<string, unknown>;

/** One problem a caller can meet: its status, its title and the sentence that says what to do. */
export interface ProblemKind {
  status: number;
  title: string;
  detail: (extra: Extra) => string;
  /** The extra members, with values as an example shows them. */
  example: Extra;
}

export const kind = (
  status: number,
  title: string,
  detail: string | ((extra: Extra) => string),
  example: Extra = {},
): ProblemKind => ({
  status,
  title,
  detail: typeof detail === 'string' ? () => detail : detail,
  example,
});
