import { drawingOf } from '../text/drawings.ts';
import type { IconName } from '../text/icons.ts';

/** The line drawing that goes with an icon. */
export function Drawing({ of }: { of: IconName }) {
  const { soft, lines, accent } = drawingOf(of);
  return (
    <svg class="drawing" viewBox="0 0 120 80" aria-hidden="true">
      <path class="soft" d={soft} />
      <path d={lines} />
      <path class="accent" d={accent} />
    </svg>
  );
}
