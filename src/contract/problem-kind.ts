export type Extra = Record<string, unknown>;

export interface ProblemKind {
  status: number;
  /** Says what to do. */
  detail: (extra: Extra) => string;
  /** Example values of its extension members. */
  example: Extra;
}

/** A problem by its status, its sentence and example values of its extension members. */
export const kind = (
  status: number,
  detail: string | ((extra: Extra) => string),
  example: Extra = {},
): ProblemKind => ({
  status,
  detail: typeof detail === 'string' ? () => detail : detail,
  example,
});
