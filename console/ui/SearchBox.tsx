import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';

/** Short enough to feel immediate, long enough to send one call per word. */
const PAUSE_MS = 90;

export function SearchBox(props: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(props.value);
  const latest = useRef(props);
  latest.current = props;
  // The address may change without the box: by back, or by a link.
  useEffect(() => setTyped(props.value), [props.value]);
  useEffect(() => {
    if (typed === latest.current.value) return;
    const timer = setTimeout(() => latest.current.onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        class="input"
        aria-label={props.label}
        placeholder={props.placeholder}
        value={typed}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}
