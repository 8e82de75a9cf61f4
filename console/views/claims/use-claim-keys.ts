import type { Claim } from '@realmkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
/** Where keys mean something else than the row that is marked. */
const ELSEWHERE = 'input, select, textarea, summary, [role=menu] *';

/**
 * One of the claims that wait is marked: arrows move the mark, and keys act on it. It is known by
 * its id, so that rows that come or go change nothing about whom a key is about.
 */
export function useClaimKeys(
  rows: Claim[] | undefined = [],
  keys: Record<string, (claim: Claim) => void>,
) {
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const at = rows.findIndex(({ claimId }) => claimId === chosen);
  // Once that one is settled, the next one that waits.
  const marked = rows.slice(Math.max(0, at)).find(isWaiting) ?? rows.findLast(isWaiting);
  const onKey = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, altKey, repeat, key } = event;
    const [step, act] = [STEPS[key], repeat ? undefined : keys[key.toLowerCase()]];
    if (!marked || (step === undefined && !act) || ctrlKey || metaKey || altKey) return;
    if ((event.target as Element).matches(ELSEWHERE)) return;
    if (document.querySelector('dialog[open]')) return;
    event.preventDefault();
    act?.(marked);
    const waiting = rows.filter(isWaiting);
    const { claimId } = waiting[waiting.indexOf(marked) + (step ?? 0)] ?? marked;
    setChosen(claimId);
    const row = box.current?.querySelector(`tr[data-key="${claimId}"]`);
    row?.scrollIntoView({ block: 'nearest' });
  };
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => latest.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  const point = ({ target }: Event): void => {
    const key = (target as Element).closest('tr')?.dataset.key;
    if (key !== undefined) setChosen(Number(key));
  };
  return { box, current: marked?.claimId ?? null, point };
}

const isWaiting = ({ status }: Claim): boolean => status === 'pending';
