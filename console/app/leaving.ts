import { effect } from '@preact/signals';
import { imports, isUnderWay } from '../state/imports.ts';

const keepOpen = (event: BeforeUnloadEvent): void => event.preventDefault();

/** While an import is under way, the browser asks whether one really wants to leave. */
export function askBeforeLeaving(): void {
  effect(() => {
    if (Object.values(imports.value).some(isUnderWay)) addEventListener('beforeunload', keepOpen);
    else removeEventListener('beforeunload', keepOpen);
  });
}
