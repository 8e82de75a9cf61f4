/**
 * Whether the reader is at an address, or below it. Whoever has gone elsewhere while something was
 * done is not taken away from there.
 */
export const isAt = (address: string): boolean => `${location.pathname}/`.startsWith(`${address}/`);
