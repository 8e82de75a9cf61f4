import { signal } from '@preact/signals';
import type { SettingsForm } from './settings-form.ts';

/** Settings that were typed and not saved, by realm: they wait while one looks at other views. */
export const unsaved = signal<Record<string, Partial<SettingsForm>>>({});

export const unsavedOf = (realm: string): Partial<SettingsForm> => unsaved.value[realm] ?? {};

export function keepUnsaved(realm: string, edits: Partial<SettingsForm>): void {
  const { [realm]: _, ...others } = unsaved.value;
  unsaved.value = Object.keys(edits).length > 0 ? { ...others, [realm]: edits } : others;
}
