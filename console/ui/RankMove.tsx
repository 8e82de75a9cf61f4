import { formatNumber } from '../text/format.ts';
import { Icon } from './Icon.tsx';

/** Places gained or lost since midnight; null for who is new. Nothing is said of who stayed. */
export function RankMove({ by }: { by: number | null | undefined }) {
  if (by === undefined || by === 0) return null;
  if (by === null) return <span class="rank-move">new</span>;
  const said = by > 0 ? 'up' : 'down';
  return (
    <span
      class={`rank-move ${said}`}
      title={`${formatNumber(Math.abs(by))} ${said} since midnight`}
    >
      <Icon name={said} />
      <span class="visually-hidden">{said} </span>
      {formatNumber(Math.abs(by))}
    </span>
  );
}
