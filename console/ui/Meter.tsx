/** How far something has come. Unlike a status it is read out only when it is asked for. */
export function Meter({ label, share }: { label: string; share: number }) {
  return <progress class="meter" aria-label={label} max={1} value={Math.max(0.02, share)} />;
}
