import { formatNumber, plural } from '../text/format.ts';

const WIDTH = 200;
const HEIGHT = 32;

/** How busy the last days were: a shape, and its figures for those who do not see it. */
export function Sparkline({ values }: { values: number[] }) {
  const total = values.reduce((sum, value) => sum + value, 0);
  const latest = formatNumber(values.at(-1) ?? 0);
  const top = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const y = HEIGHT - 1 - (value / top) * (HEIGHT - 2);
    return `${(index * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${plural(total, 'change')} in the last ${values.length} days, ${latest} today`}
    >
      <path class="area" d={`M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`} />
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}
