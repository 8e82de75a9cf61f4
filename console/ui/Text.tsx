import { visiblePieces } from '../text/visible.ts';

/** Text from strangers: isolated, and with its hidden characters shown. */
export function Text({ value }: { value: string }) {
  const pieces = visiblePieces(value);
  return (
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
}
