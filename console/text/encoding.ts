/** How the bytes of a file become text. Spreadsheets save in whatever is usual on their system. */
type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

interface Decoded {
  text: string;
  encoding: Encoding;
}

/** What marks the order of bytes in front is not part of the text. */
export function decodeText(bytes: Uint8Array): Decoded {
  const wide = wideEncoding(bytes);
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: 'UTF-16' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}

const LOOKED_AT = 1_000;

/** By its mark, or because every other byte of the beginning is zero, as in Latin text. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, LOOKED_AT);
  const zerosAt = (parity: number): number =>
    start.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (Math.max(even, odd) < start.length / 4) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Whether it is a workbook, such as .xlsx or .ods: a ZIP archive, which begins like this. */
export const isWorkbook = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0x50 && second === 0x4b && third === 0x03 && fourth === 0x04;

/** In front of a file for spreadsheets, which otherwise do not read it as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';
