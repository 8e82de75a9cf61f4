import { formatNumber, plural } from '../text/format.ts';

const WIDTH = 200;
const HEIGHT = 32;

interface SparklineProps {
  values: (number | null)[];
  /** What it shows, unless it is the changes of the last days. */
  label?: string;
  /** Whether it is about ups and downs, and not drawn from zero. */
  isLevel?: boolean;
}

/**
 * How busy the last days were: a shape, and its figures for those who do not see it. It begins
 * with the first day that is not null, and the way to today is dashed, which is not over yet.
 */
export function Sparkline({ values, label, isLevel = false }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const total = known.reduce((sum, value) => sum + value, 0);
  const latest = formatNumber(known.at(-1) ?? 0);
  const low = isLevel ? Math.min(...known) : Math.min(0, ...known);
  const range = Math.max(1, Math.max(...known) - low);
  const step = WIDTH / Math.max(1, values.length - 1);
  const before = values.length - known.length;
  const points = known.map((value, index) => {
    const y = HEIGHT - 1 - ((value - low) / range) * (HEIGHT - 2);
    return `${((before + index) * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  const days = plural(known.length, 'day');
  const start = (before * step).toFixed(1);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={
        label
          ? `${label}: ${formatNumber(known[0] ?? 0)} at first, ${latest} today`
          : `${plural(total, 'change')} in the last ${days}, ${latest} today`
      }
    >
      <path class="area" d={`M${start} ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`} />
      {points.length > 2 && <path d={`M${points.slice(0, -1).join('L')}`} />}
      <path
        class={points.length === 1 ? 'open lone' : 'open'}
        d={`M${points.slice(-2).join('L')}h0.1`}
      />
    </svg>
  );
}
