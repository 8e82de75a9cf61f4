import type { ComponentChildren } from 'preact';
import { visibleText } from '../text/visible.ts';
import { Button } from './Button.tsx';
import { Modal } from './Modal.tsx';
import { Text } from './Text.tsx';

interface DialogProps {
  title: string;
  wide?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, wide = false, onClose, children }: DialogProps) {
  return (
    <Modal label={visibleText(title)} class={wide ? 'wide' : ''} onClose={onClose}>
      <header>
        <h2>
          <Text value={title} />
        </h2>
        <Button tone="quiet" small icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </Modal>
  );
}
