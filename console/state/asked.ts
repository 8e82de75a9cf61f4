import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** A dialog that can be opened from elsewhere than its view. */
export type AskedDialog =
  | 'enrol'
  | 'export'
  | 'issue a key'
  | 'invite a person'
  | 'add a webhook'
  | 'add a kind'
  | 'add an offer'
  | 'create a realm';

const asked = signal<AskedDialog | null>(null);

/** The view that has the dialog opens it as soon as it is shown. */
export const askFor = (dialog: AskedDialog | null): void => {
  asked.value = dialog;
};

/** Opens a dialog of this view that was asked for elsewhere. */
export function useAsked(dialog: AskedDialog, open: () => void): void {
  const isAsked = asked.value === dialog;
  useEffect(() => {
    if (!isAsked) return;
    asked.value = null;
    open();
  }, [isAsked]);
}
