import { signal } from '@preact/signals';
import { type Edits, NO_EDITS } from './settings-form.ts';

/** Settings that were typed and not saved, by realm: they wait while one looks at other views. */
export const unsaved = signal<Record<string, Edits>>({});

export const unsavedOf = (realm: string): Edits => unsaved.value[realm] ?? NO_EDITS;

export function keepUnsaved(realm: string, edits: Edits): void {
  const { [realm]: _, ...others } = unsaved.value;
  const hasSome = Object.keys(edits.typed).length > 0;
  unsaved.value = hasSome ? { ...others, [realm]: edits } : others;
}
