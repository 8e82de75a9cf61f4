import { ICON_PATHS, type IconName } from '../text/icons.ts';

export function Icon({ name, class: extra = '' }: { name: IconName; class?: string }) {
  return (
    <svg
      class={`icon icon-${name} ${extra}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
