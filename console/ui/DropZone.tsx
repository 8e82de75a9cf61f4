import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { readFile, type TextFile } from './files.ts';

interface DropZoneProps {
  onFile: (file: TextFile) => void;
  class?: string;
  children: ComponentChildren;
}

/** A file that is dropped here is read in the browser. */
export function DropZone({ onFile, class: extra = '', children }: DropZoneProps) {
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
        if (file) void readFile(file, onFile);
      }}
    >
      {children}
    </section>
  );
}
