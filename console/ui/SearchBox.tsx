import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
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
  // What this box has said comes back by the address, perhaps when more has been typed.
  const said = useRef(props.value);
  useLayoutEffect(() => {
    if (props.value === said.current) return;
    said.current = props.value;
    setTyped(props.value);
  }, [props.value]);
  useEffect(() => {
    if (typed === said.current) return;
    const timer = setTimeout(() => {
      said.current = typed;
      latest.current.onChange(typed);
    }, PAUSE_MS);
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
