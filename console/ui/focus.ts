/** Puts the focus back where it was or, if that is gone, on the view. */
export function returnFocus(to: Element | null): void {
  const isThere = to instanceof HTMLElement && to.isConnected && to !== document.body;
  const target = isThere ? to : document.getElementById('content');
  target?.focus({ preventScroll: true });
}

/** Whether the focus is in it or nowhere, so that it is lost if the element goes. */
export const hasFocus = (element: Element | null): boolean =>
  document.activeElement === document.body || Boolean(element?.contains(document.activeElement));

/** For the first field of a dialog: dialogs focus their close button otherwise. */
export function focusOnce(element: HTMLElement | null): void {
  if (!element || element.dataset.focused) return;
  element.dataset.focused = 'yes';
  // After the dialog is shown, which moves the focus itself.
  queueMicrotask(() => element.focus());
}
