/** Unlike `crypto.randomUUID`, this works on pages that came over plain HTTP. */
export const newIdempotencyKey = (): string =>
  `console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
