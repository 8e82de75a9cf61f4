import type { ComponentChildren } from 'preact';
import { type Listbox, type Listed, optionId } from './listbox.ts';

interface OptionsProps<Option> {
  label: string;
  list: Listbox<Option>;
  children: (option: Option) => ComponentChildren;
}

/** The list below a box; the focus stays in the box. */
export function Options<Option extends Listed>({ label, list, children }: OptionsProps<Option>) {
  return (
    <div id={list.id} class="options" role="listbox" aria-label={label}>
      {list.options.map((option, index) => {
        const attributes = {
          id: optionId(list.id, index),
          'aria-selected': index === list.current,
          'aria-disabled': option.isClosed ?? false,
          onPointerMove: () => list.point(index),
          onClick: () => list.choose(option),
        };
        return (
          <div key={option.id} role="option" tabIndex={-1} {...attributes}>
            {children(option)}
          </div>
        );
      })}
    </div>
  );
}
