import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Choice } from './Field.tsx';
import { Text } from './Text.tsx';

/** A few choices side by side, one of which is taken. */
export function Segments(props: {
  label: string;
  value: string;
  choices: Choice[];
  onChange: (value: string) => void;
}) {
  return (
    <fieldset class="segments" aria-label={props.label}>
      {props.choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={props.value === value}
          onClick={() => props.onChange(value)}
        >
          <Text value={label} />
        </button>
      ))}
    </fieldset>
  );
}

interface Tab {
  id: string;
  label: string;
  count?: number;
}

export function Tabs(props: {
  label: string;
  tabs: Tab[];
  current: string;
  onChange: (id: string) => void;
  children: ComponentChildren;
}) {
  const prefix = useId();
  const { tabs, current, onChange } = props;
  const move = (by: number): void => {
    const index = tabs.findIndex(({ id }) => id === current);
    const next = tabs[(index + by + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    document.getElementById(`${prefix}-${next.id}`)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={props.label}>
        {tabs.map(({ id, label, count }) => (
          <button
            key={id}
            id={`${prefix}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') move(1);
              if (event.key === 'ArrowLeft') move(-1);
            }}
          >
            {label}
            {count !== undefined && count > 0 && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-labelledby={`${prefix}-${current}`}>
        {props.children}
      </div>
    </div>
  );
}
