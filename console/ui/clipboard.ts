/** Copies a text; false if the browser does not allow it. */
export async function copyText(text: string, near: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard on a page that came over plain HTTP, and it may be forbidden.
    return copySelection(text, near);
  }
}

/** Inside the dialog that is open, because what is outside of it cannot be selected. */
function copySelection(text: string, near: Element): boolean {
  const focused = document.activeElement;
  const box = document.createElement('textarea');
  box.className = 'visually-hidden';
  box.readOnly = true;
  box.value = text;
  (near.closest('dialog') ?? document.body).append(box);
  try {
    box.select();
    return document.execCommand('copy');
  } finally {
    box.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
