import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ModalProps {
  label: string;
  class?: string;
  /** Nothing is lost if it closes: a click beside it does. */
  isDismissible?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** A native dialog: the browser keeps the focus inside and closes it with Escape. */
export function Modal({ label, class: look = '', isDismissible, onClose, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${look}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (isDismissible && event.target === ref.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
