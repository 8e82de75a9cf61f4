/** Dates of answers have no fractions of a second. */
const SECOND_MS = 1_000;

/**
 * How far the service's clock is ahead of the reader's, by the date of an answer. What is known
 * already stays as long as it agrees with the date, so that it does not waver.
 */
export function aheadBy(
  known: number,
  { date, sentAt, answeredAt }: { date: number; sentAt: number; answeredAt: number },
): number {
  const agrees = date > sentAt + known - SECOND_MS && date <= answeredAt + known;
  if (agrees || Number.isNaN(date)) return known;
  return Math.round(date + SECOND_MS / 2 - (sentAt + answeredAt) / 2);
}
