/** How far something has come. Unlike a status it says so only when it is asked. */
export function Meter({ label, share }: { label: string; share: number }) {
  const percent = Math.round(100 * Math.max(0, Math.min(1, share)));
  return (
    <div
      class="meter"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${Math.max(2, percent)}%` }} />
    </div>
  );
}
