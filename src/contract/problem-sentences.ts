/** The sentences of problems that depend on more than one of their members. */
type Extra = Record<string, unknown>;

const points = (count: unknown): string => (count === 1 ? '1 point' : `${count} points`);
const requested = (x: Extra): string =>
  x.requested === 1 ? '1 was requested' : `${x.requested} were requested`;

export function insufficientPoints(x: Extra): string {
  const kind = x.realmPointId ? ` of the kind "${x.realmPointId}"` : '';
  const notes = [
    ...(x.held ? [`${x.held} of them on hold`] : []),
    ...(x.minimumBalance ? [`the minimum is ${x.minimumBalance}`] : []),
  ];
  const noted = notes.length > 0 ? ` (${notes.join('; ')})` : '';
  return `Member ${x.memberId} has ${points(x.balance)}${kind}${noted}; ${requested(x)}.`;
}

export const reversalExceeded = (x: Extra): string =>
  x.remaining === 0
    ? `Transaction ${x.transactionId} has already been fully reversed.`
    : `Only ${points(x.remaining)} of transaction ${x.transactionId} can still be reversed.`;

export const holdExceeded = (x: Extra): string =>
  `Hold ${x.holdId} has ${points(x.remaining)} left, but ${requested(x)}.`;

export const unavailable =
  (sentence: string) =>
  (x: Extra): string =>
    `${x.reason ?? sentence} Nothing was changed. Try again after the seconds in Retry-After.`;
