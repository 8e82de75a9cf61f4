import { toast } from '../state/toasts.ts';
import { BYTE_ORDER_MARK, decodeText } from '../text/encoding.ts';

/** A file that was dropped or chosen. It is read in the browser. */
export interface TextFile extends ReturnType<typeof decodeText> {
  name: string;
}

export async function readFile(file: File, onFile: (file: TextFile) => void): Promise<void> {
  try {
    onFile({ name: file.name, ...decodeText(new Uint8Array(await file.arrayBuffer())) });
  } catch {
    toast({ text: `${file.name} cannot be read. Choose it again.`, isProblem: true });
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
