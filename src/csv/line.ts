/**
 * Spreadsheets run text that begins like this as a formula, and a cell of blanks is an empty one,
 * so in CSV files no name may be like that. An apostrophe in front makes it text; importing removes
 * the apostrophe again.
 */
const MISREAD = /^'*(?:[=+\-@\t\r]|\s+$)/;

export const guarded = (text: string): string => (MISREAD.test(text) ? `'${text}` : text);

export const unguarded = (text: string): string =>
  text.startsWith("'") && MISREAD.test(text) ? text.slice(1) : text;

/** One record, by RFC 4180 except that lines end with LF, as those of other tools do. */
export const csvLine = (fields: readonly string[], delimiter = ','): string =>
  `${fields.map((field) => quoted(field, delimiter)).join(delimiter)}\n`;

function quoted(field: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(field) && !field.includes(delimiter);
  return isPlain ? field : `"${field.replaceAll('"', '""')}"`;
}
