import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { returnFocus } from './focus.ts';

interface ModalProps {
  label: string;
  class?: string;
  /** Nothing is lost if it closes: a click beside it does. */
  isDismissible?: boolean;
  /** Something is lost if it closes now: Escape does not. */
  ignoresEscape?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** A native dialog: the browser keeps the focus inside and closes it with Escape. */
export function Modal(props: ModalProps) {
  const { label, class: look = '', isDismissible, ignoresEscape, onClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // What opened it may be gone, as the buttons of a member that is frozen meanwhile are.
      queueMicrotask(() => {
        if (document.activeElement === document.body) returnFocus(document.querySelector('.panel'));
      });
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${look}`}
      aria-label={label}
      // Otherwise a browser closes it at the second Escape, whatever is answered to the event.
      closedby={ignoresEscape ? 'none' : 'closerequest'}
      onCancel={(event) => {
        event.preventDefault();
        if (!ignoresEscape) onClose();
      }}
      onPointerDown={(event) => {
        if (isDismissible && event.target === ref.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
