import { useEffect, useRef, useState } from 'preact/hooks';
import { now } from '../state/clock.ts';
import { toast } from '../state/toasts.ts';
import {
  type Figure,
  formatAgo,
  formatInstant,
  formatNumber,
  formatSigned,
  shortId,
} from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { copyText } from './clipboard.ts';
import { focusOnce } from './focus.ts';
import { Icon } from './Icon.tsx';
import { Text } from './Text.tsx';

/** "2 min. ago", with the exact instant on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatAgo(Date.parse(at), now.value)}
    </time>
  );
}

/** Highlights softly once when it changes while one looks at it. */
export function Amount({ value, class: extra = '' }: { value: Figure; class?: string }) {
  const previous = useRef(value);
  const [flashes, setFlashes] = useState(0);
  useEffect(() => {
    if (previous.current !== value) setFlashes((count) => count + 1);
    previous.current = value;
  }, [value]);
  return (
    <span key={flashes} class={`amount ${extra} ${flashes > 0 ? 'flash' : ''}`}>
      {formatNumber(value)}
    </span>
  );
}

/** The one big number of a card: the longer it is, the smaller, so that it fits. */
export function BigAmount({ value }: { value: Figure }) {
  return (
    <div class="big" style={{ '--characters': formatNumber(value).length }}>
      <Amount value={value} />
    </div>
  );
}

/** Points that came or went: the sign says it, the colour only helps. */
export function Movement({ value }: { value: number }) {
  return <span class={`amount ${value > 0 ? 'in' : 'out'}`}>{formatSigned(value)}</span>;
}

/** As much of an id as fits: it is shortened in the middle, since ends tell ids apart. */
export function Middle({ value, class: extra = '' }: { value: string; class?: string }) {
  const end = value.length > 12 ? value.length - 6 : value.length;
  return (
    <span class={`mono middle ${extra}`} title={visibleText(value)}>
      <span>{value.slice(0, end)}</span>
      <span>{value.slice(end)}</span>
    </span>
  );
}

/** An id or hash, shortened, with a button that copies all of it. */
export function Id(props: { value: string; keep?: number; full?: boolean; always?: boolean }) {
  const { value, keep = 4, full = false, always = false } = props;
  const { state, copy } = useCopy(value);
  // Whoever has to copy it by hand has to see all of it.
  const isWhole = state === 'refused';
  return (
    <span class={always ? 'id always' : 'id'}>
      {full && !isWhole ? (
        <Middle value={value} />
      ) : (
        <span class="mono" title={visibleText(value)}>
          {isWhole ? value : shortId(value, keep)}
        </span>
      )}
      <button
        type="button"
        aria-label={state === 'copied' ? 'Copied' : 'Copy'}
        title="Copy"
        onClick={copy}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
      </button>
    </span>
  );
}

const NOT_COPIED = 'The browser does not allow copying. Select the text, and copy it yourself.';

type CopyState = 'idle' | 'copied' | 'refused';

function useCopy(value: string) {
  const [state, setState] = useState<CopyState>('idle');
  const copy = async ({ currentTarget }: { currentTarget: Element }): Promise<void> => {
    if (await copyText(value, currentTarget)) {
      setState('copied');
      setTimeout(() => setState('idle'), 1_500);
    } else {
      setState('refused');
      toast({ text: NOT_COPIED, isProblem: true });
    }
  };
  return { state, copy: (event: { currentTarget: Element }) => void copy(event) };
}

/** Something to paste into a terminal or an editor. */
export function CodeBlock(props: { code: string; label?: string; autoFocus?: boolean }) {
  const { code, label = 'Copy', autoFocus = false } = props;
  const { state, copy } = useCopy(code);
  const text = state === 'copied' ? 'Copied' : label;
  return (
    <div class="code-block">
      <pre>
        {code.split('\n').map((line, index) => (
          <div key={`${index} ${line}`}>{line === '' ? ' ' : <Text value={line} />}</div>
        ))}
      </pre>
      <button
        type="button"
        class="button quiet small icon-only"
        aria-label={text}
        ref={autoFocus ? focusOnce : null}
        onClick={copy}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
      </button>
    </div>
  );
}
