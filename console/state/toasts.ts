import { signal } from '@preact/signals';
import { sentenceOf } from '../api/faults.ts';

export interface Toast {
  id: number;
  text: string;
  /** Where to read more about it. */
  href?: string;
  undo?: () => Promise<unknown>;
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

export async function undo({ id, undo: revert, text }: Toast): Promise<void> {
  dismiss(id);
  try {
    await revert?.();
    toast({ text: `Undone: ${text}` });
  } catch (error) {
    toast({ text: `Not undone. ${sentenceOf(error as Error)}`, isProblem: true });
  }
}
