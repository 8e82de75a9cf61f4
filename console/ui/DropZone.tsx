import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface DropZoneProps {
  onText: (text: string, name: string) => void;
  class?: string;
  children: ComponentChildren;
}

/** A file that is dropped here is read in the browser. */
export function DropZone({ onText, class: extra = '', children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  return (
    <section
      aria-label="Drop a file here"
      class={`${extra} ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) void file.text().then((text) => onText(text, file.name));
      }}
    >
      {children}
    </section>
  );
}
