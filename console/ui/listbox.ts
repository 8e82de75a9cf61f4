import { useEffect, useId, useState } from 'preact/hooks';

/** What a list below a box offers. */
export interface Listed {
  id: string;
  /** Found by what was typed before; the answer to what is typed now is on its way. */
  isFormer?: boolean;
  /** Shown, but refused if it were chosen. */
  isClosed?: boolean;
}

export interface Listbox<Option> {
  id: string;
  options: readonly Option[];
  /** The index of the option that Enter chooses; -1 if there are none. */
  current: number;
  point: (index: number) => void;
  choose: (option: Option) => void;
  /** For when something else is typed. */
  restart: () => void;
  /** The attributes of the box. */
  box: ReturnType<typeof boxAttributes>;
}

const boxAttributes = (id: string, current: number, onKeyDown: (event: KeyboardEvent) => void) => ({
  role: 'combobox' as const,
  'aria-autocomplete': 'list' as const,
  'aria-expanded': current >= 0,
  ...(current >= 0 ? { 'aria-controls': id, 'aria-activedescendant': optionId(id, current) } : {}),
  onKeyDown,
});

export const optionId = (id: string, index: number): string => `${id}-${index}`;

/** A box with a list of options below it: arrows point at one of them, and Enter chooses it. */
export function useListbox<Option extends Listed>(
  options: readonly Option[],
  isCurrent: boolean,
  onChoose: (option: Option) => void,
): Listbox<Option> {
  const id = useId();
  const [at, setAt] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const current = Math.min(at, options.length - 1);
  const choose = (option: Option): void => {
    if (!option.isClosed) onChoose(option);
  };
  // Whoever types faster than members are found means those that will be found.
  const enter = (): void => {
    const option = options[current];
    if (option && (isCurrent || !option.isFormer)) choose(option);
    setEntered(!isCurrent);
  };
  useEffect(() => {
    if (isEntered && isCurrent) enter();
  });
  const move = (by: number): void => {
    const next = (current + by + options.length) % Math.max(1, options.length);
    setAt(next);
    document.getElementById(optionId(id, next))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) move(by);
    // Without anything to choose from, Enter is the form's.
    else if (event.key === 'Enter' && (options.length > 0 || !isCurrent)) enter();
    else return;
    event.preventDefault();
  };
  const restart = (): void => {
    setAt(0);
    setEntered(false);
  };
  const box = boxAttributes(id, current, onKeyDown);
  return { id, options, current, point: setAt, choose, restart, box };
}
