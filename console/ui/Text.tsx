import { visiblePieces } from '../text/visible.ts';

/** Text from strangers: isolated, and with its hidden characters shown. */
export function Text({ value, class: look }: { value: string; class?: string }) {
  const pieces = visiblePieces(value);
  const text = (
    <bdi>
      {pieces.map(({ text, hidden }, index) =>
        hidden ? (
          <span key={`${index} ${text}`} class="hidden-char" title="A hidden character">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  );
  return look === undefined ? text : <span class={look}>{text}</span>;
}
