import { signal } from '@preact/signals';
import { isProblem } from '@realmkeep/client';
import { isOutcomeUnknown, sentenceOf } from '../api/faults.ts';

export interface Toast {
  id: number;
  text: string;
  /** Where to read more about it. */
  href?: string;
  /** Resolves to what is said then, where only its answer can tell. */
  undo?: () => Promise<unknown>;
  /** What is said once it is undone, where that is not the state before. */
  undone?: string;
  /** It was undone, or was not: the answer did not come. */
  isInDoubt?: boolean;
  isProblem?: boolean;
}

/** What is said of something that was done. */
export type Said = Omit<Toast, 'id'>;

export const toasts = signal<Toast[]>([]);

let lastId = 0;

export function toast(fields: Said): void {
  lastId += 1;
  toasts.value = [...toasts.value.slice(-2), { id: lastId, ...fields }];
}

/** Says that something is done, or why it is not. */
export const toastOf = (done: Promise<unknown>, text: string): Promise<void> =>
  done.then(
    () => toast({ text }),
    ({ message }: Error) => toast({ text: message, isProblem: true }),
  );

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** What another session has done is none of the next one's business, and not its to undo. */
export const forgetToasts = (): void => {
  toasts.value = [];
};

export async function undo({ id, ...shown }: Toast): Promise<void> {
  dismiss(id);
  try {
    const said = await shown.undo?.();
    toast({ text: typeof said === 'string' ? said : undoneText(shown) });
  } catch (error) {
    toast(failedUndo(shown, error as Error));
  }
}

const undoneText = ({ undone, text }: Said): string => undone ?? `Undone: ${text}`;

/** An undo can be repeated, as it takes effect once; what is gone then was undone before. */
function failedUndo(shown: Said, error: Error): Said {
  if (isOutcomeUnknown(error)) return { ...shown, isInDoubt: true };
  const isGone = isProblem(error) && error.status === 404;
  return shown.isInDoubt && isGone
    ? { text: undoneText(shown) }
    : { text: `Not undone. ${sentenceOf(error)}`, isProblem: true };
}
