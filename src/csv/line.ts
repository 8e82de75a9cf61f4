/**
 * Spreadsheets run text that begins like this as a formula, so in CSV files a name may not begin
 * like it either. An apostrophe in front makes it text; importing removes the apostrophe again.
 */
const FORMULA = /^'*[=+\-@\t\r]/;

export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

export const unguarded = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/** One record, by RFC 4180 except that lines end with LF, as those of other tools do. */
export const csvLine = (fields: readonly string[], delimiter = ','): string =>
  `${fields.map((field) => quoted(field, delimiter)).join(delimiter)}\n`;

function quoted(field: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(field) && !field.includes(delimiter);
  return isPlain ? field : `"${field.replaceAll('"', '""')}"`;
}
