import { toast } from '../state/toasts.ts';
import { BYTE_ORDER_MARK, decodeText, isWorkbook } from '../text/encoding.ts';

/** A file that was dropped or chosen. It is read in the browser. */
export interface TextFile extends ReturnType<typeof decodeText> {
  name: string;
}

export async function readFile(file: File, onFile: (file: TextFile) => void): Promise<void> {
  const refuse = (why: string): void => toast({ text: `${file.name} ${why}`, isProblem: true });
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isWorkbook(bytes)) refuse('is not a CSV file. Save the sheet as CSV, and choose that.');
    else onFile({ name: file.name, ...decodeText(bytes) });
  } catch {
    refuse('cannot be read. Choose it again.');
  }
}

/** Saves the parts of a CSV file under a name, without a request. */
export function saveCsv(name: string, parts: string[]): void {
  const blob = new Blob([BYTE_ORDER_MARK, ...parts], { type: 'text/csv;charset=utf-8' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
