/** How an id looks: the same colour and shape wherever it is shown, and for everybody. */
const HUES = [25, 65, 95, 135, 162, 197, 232, 265, 300, 345];

/** Filled, on a grid of 16: for points without a symbol of their own. */
const SHAPES = [
  'M13.8 10A6.2 6.2 0 0 1 6 2.2 6.2 6.2 0 1 0 13.8 10z',
  'M8 1.5 14 8l-6 6.5L2 8z',
  'M8 1.5l5.7 3.2v6.6L8 14.5l-5.7-3.2V4.7z',
  'M8 1.2c2.6 3.4 4.4 5.7 4.4 8.2a4.4 4.4 0 0 1-8.8 0c0-2.5 1.8-4.8 4.4-8.2z',
  'M9.5 1 3 9.2h4L6.2 15 13 6.5H8.8z',
  'M8 14 2.6 8.6a3.5 3.5 0 0 1 5-5l.4.5.4-.5a3.5 3.5 0 0 1 5 5z',
  'M8 1l1.7 5.3L15 8l-5.3 1.7L8 15l-1.7-5.3L1 8l5.3-1.7z',
  'M8 1.8l1.9 4.1 4.4.5-3.3 3 .9 4.4L8 11.6l-3.9 2.2.9-4.4-3.3-3 4.4-.5z',
];

/** FNV-1a. */
const hashOf = (id: string): number =>
  [...id].reduce((hash, c) => Math.imul(hash ^ (c.codePointAt(0) ?? 0), 0x01000193), 0x811c9dc5) >>>
  0;

/** The angle of its colour, which `.tinted` makes a ground and a text of. */
export const hueOf = (id: string): number => HUES[hashOf(id) % HUES.length] ?? 0;

export const shapeOf = (id: string): string => SHAPES[(hashOf(id) >>> 8) % SHAPES.length] ?? '';

const graphemes = new Intl.Segmenter();

/** Whether a symbol is short enough to stand for its points; a longer one is a word. */
export const isMark = (symbol: string | null): symbol is string =>
  symbol !== null && [...graphemes.segment(symbol)].length <= 2;
