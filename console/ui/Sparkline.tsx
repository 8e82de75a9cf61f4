const WIDTH = 200;
const HEIGHT = 32;

/** How busy the last days were; the shape says more than the figures. */
export function Sparkline({ values }: { values: number[] }) {
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
      aria-label="Activity of the last 30 days"
    >
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}
