import { DRAWINGS } from '../text/drawings.ts';
import type { IconName } from '../text/icons.ts';
import { Icon } from './Icon.tsx';

/** The line drawing that goes with an icon; the icon where there is none. */
export function Drawing({ of }: { of: IconName }) {
  const drawing = DRAWINGS[of];
  if (!drawing) return <Icon name={of} />;
  return (
    <svg class="drawing" viewBox="0 0 120 80" aria-hidden="true">
      <path class="soft" d={drawing.soft} />
      <path d={drawing.lines} />
      <path class="accent" d={drawing.accent} />
    </svg>
  );
}
