import type { ComponentChildren } from 'preact';
import { visibleText } from '../text/visible.ts';
import { Button } from './Button.tsx';
import { Modal } from './Modal.tsx';
import { Text } from './Text.tsx';

interface DialogProps {
  title: string;
  wide?: boolean;
  /** What it does is under way: it stays until the answer comes. */
  busy?: boolean;
  /** It shows what nothing shows again: only its own button closes it. */
  mustConfirm?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog(props: DialogProps) {
  const { title, wide, busy = false, mustConfirm = false, onClose, children } = props;
  return (
    <Modal
      label={visibleText(title)}
      class={wide ? 'wide' : ''}
      ignoresEscape={busy || mustConfirm}
      onClose={onClose}
    >
      <header>
        <h2>
          <Text value={title} />
        </h2>
        {!mustConfirm && (
          <Button tone="quiet" small icon="close" label="Close" busy={busy} onClick={onClose} />
        )}
      </header>
      {children}
    </Modal>
  );
}
