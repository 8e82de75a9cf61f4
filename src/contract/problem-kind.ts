export type Extra = Record<string, unknown>;

export interface ProblemKind {
  status: number;
  /** Says what to do. */
  detail: (extra: Extra) => string;
  /** Example values of its extension members. */
  example: Extra;
}

/**
 * A problem by its status, its sentence and example values of its extension members, which a
 * sentence names as `{member}`.
 */
export const kind = (
  status: number,
  sentence: string | ((extra: Extra) => string),
  example: Extra = {},
): ProblemKind => ({
  status,
  detail: typeof sentence === 'string' ? (extra) => filled(sentence, extra) : sentence,
  example,
});

const filled = (sentence: string, extra: Extra): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name) => String(extra[name]));
