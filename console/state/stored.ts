import { effect, type Signal, signal } from '@preact/signals';

/** A list of words that this browser keeps. */
export function storedWords(key: string): Signal<readonly string[]> {
  const words = signal<readonly string[]>(
    (localStorage.getItem(key) ?? '').split(' ').filter((word) => word !== ''),
  );
  effect(() => localStorage.setItem(key, words.value.join(' ')));
  return words;
}
