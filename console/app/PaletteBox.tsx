import { useLayoutEffect } from 'preact/hooks';
import { closePalette, isPaletteOpen, openPalette } from '../frame/palette-state.ts';
import { askFor } from '../state/asked.ts';
import { Icon } from '../ui/Icon.tsx';
import { useListbox } from '../ui/listbox.ts';
import { Modal } from '../ui/Modal.tsx';
import { Options } from '../ui/Options.tsx';
import { Text } from '../ui/Text.tsx';
import type { Option } from './palette-options.ts';

/** Ctrl K or ⌘K opens the palette; returns whether it is open. */
export function usePaletteKey(): boolean {
  // Before the first paint: an effect after it would miss a key that is pressed at once.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      closePalette();
    };
  }, []);
  return isPaletteOpen.value;
}

interface PaletteBoxProps {
  typed: string;
  onType: (typed: string) => void;
  placeholder: string;
  options: Option[];
  isCurrent: boolean;
  /** What to do if nothing is found. */
  hint?: string | null;
}

/** A box to type in, and what fits below it. */
export function PaletteBox(props: PaletteBoxProps) {
  const { typed, onType, placeholder, options, isCurrent, hint } = props;
  const list = useListbox(options, isCurrent, (option) => {
    closePalette();
    // What was asked for before, and has not come to be, is not meant any more.
    askFor(null);
    option.select();
  });
  return (
    <Modal label="Search or jump to" class="palette" isDismissible onClose={closePalette}>
      <input
        {...list.box}
        class="input"
        aria-label="Search or jump to"
        placeholder={placeholder}
        value={typed}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          onType(event.currentTarget.value);
          list.restart();
        }}
      />
      {options.length > 0 ? (
        <Options label="Results" list={list}>
          {({ icon, label, note }) => (
            <>
              <Icon name={icon} />
              <Text class="ellipsis" value={label} />
              {note && <span class="muted mono push note">{note}</span>}
            </>
          )}
        </Options>
      ) : (
        <p class="palette-empty muted" role="status">
          {hint ?? (isCurrent ? 'Nothing found.' : 'Searching…')}
        </p>
      )}
    </Modal>
  );
}
