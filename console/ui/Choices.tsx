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

/** Where a key leads; null if nowhere. */
function tabAfter(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
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
  const move = (to: number): void => {
    const next = tabs[to];
    if (!next) return;
    onChange(next.id);
    document.getElementById(`${prefix}-${next.id}`)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={props.label}>
        {tabs.map(({ id, label, count }, at) => (
          <button
            key={id}
            id={`${prefix}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
            aria-controls={`${prefix}-panel`}
            onKeyDown={(event) => {
              const to = tabAfter(event.key, at, tabs.length);
              if (to === null) return;
              event.preventDefault();
              move(to);
            }}
          >
            {label}
            {count !== undefined && count > 0 && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${prefix}-panel`} aria-labelledby={`${prefix}-${current}`}>
        {props.children}
      </div>
    </div>
  );
}
