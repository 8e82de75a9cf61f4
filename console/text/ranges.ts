/** The rows from one to another, both included. */
export function between<R extends { id: string }>(
  listed: readonly R[],
  from: string | null,
  to: R,
): R[] {
  const [start, end] = [from, to.id].map((id) => listed.findIndex((row) => row.id === id));
  if (start === undefined || end === undefined || start < 0 || end < 0) return [to];
  return listed.slice(Math.min(start, end), Math.max(start, end) + 1);
}
