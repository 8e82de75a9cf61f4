import { useEffect, useRef, useState } from 'preact/hooks';

/** For a form that does something itself; not now if it is false. */
export const submits =
  (act: (() => unknown) | false) =>
  (event: Event): void => {
    event.preventDefault();
    if (act) act();
  };

interface Submission {
  busy: boolean;
  error: Error | undefined;
  submit: () => Promise<void>;
}

/**
 * Something that a button does: once at a time, and with its failure. `onLate` is told of one that
 * comes after nobody looks any more.
 */
export function useSubmit(
  act: () => Promise<unknown>,
  onLate: (error: Error) => void = () => {},
): Submission {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const isRunning = useRef(false);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const submit = async (): Promise<void> => {
    // A double click arrives before the button is busy.
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (failure) {
      if (isShown.current) setError(failure as Error);
      else onLate(failure as Error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { busy, error, submit };
}
