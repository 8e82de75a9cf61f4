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

export const toasts = signal<Toast[]>([]);

let lastId = 0;

export function toast(fields: Omit<Toast, 'id'>): void {
  lastId += 1;
  toasts.value = [...toasts.value.slice(-2), { id: lastId, ...fields }];
}

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

const undoneText = ({ undone, text }: Omit<Toast, 'id'>): string => undone ?? `Undone: ${text}`;

/** An undo can be repeated, as it takes effect once; what is gone then was undone before. */
function failedUndo(shown: Omit<Toast, 'id'>, error: Error): Omit<Toast, 'id'> {
  if (isOutcomeUnknown(error)) return { ...shown, isInDoubt: true };
  const isGone = isProblem(error) && error.status === 404;
  return shown.isInDoubt && isGone
    ? { text: undoneText(shown) }
    : { text: `Not undone. ${sentenceOf(error)}`, isProblem: true };
}
