export type Extra = Record<string, unknown>;

export interface ProblemKind {
  status: number;
  title: string;
  detail: (extra: Extra) => string;
  /** Example values of its extension members. */
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
