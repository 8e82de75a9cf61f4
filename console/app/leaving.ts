import { effect } from '@preact/signals';
import { imports, isUnderWay } from '../state/imports.ts';
import { unsaved } from '../state/unsaved.ts';

const keepOpen = (event: BeforeUnloadEvent): void => event.preventDefault();

/** The browser asks before an import under way, or settings that are not saved, are lost. */
export function askBeforeLeaving(): void {
  effect(() => {
    const isImporting = Object.values(imports.value).some(isUnderWay);
    const isUnsaved = Object.keys(unsaved.value).length > 0;
    if (isImporting || isUnsaved) addEventListener('beforeunload', keepOpen);
    else removeEventListener('beforeunload', keepOpen);
  });
}
