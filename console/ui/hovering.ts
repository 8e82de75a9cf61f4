import { useRef, useState } from 'preact/hooks';

interface Stable<T> {
  shown: T;
  /** For the element that must not change under the pointer. */
  handlers: { onPointerEnter: () => void; onPointerLeave: () => void };
}

/** The latest value, except while the pointer is on it: rows do not move under a click. */
export function useStableWhileHovered<T>(value: T): Stable<T> {
  const [isPointed, setPointed] = useState(false);
  const shown = useRef(value);
  if (!isPointed || shown.current === undefined) shown.current = value;
  const onPointerEnter = (): void => setPointed(true);
  const onPointerLeave = (): void => setPointed(false);
  return { shown: shown.current, handlers: { onPointerEnter, onPointerLeave } };
}
