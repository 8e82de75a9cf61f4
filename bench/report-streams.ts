import type { Quantiles, StreamResult } from './cases/streams.ts';
import { metOrMissed, table, whole } from './table.ts';

const RECEIPT_AT_MOST: Quantiles = { p50: 5, p99: 50 };
const TIMES_AT_MOST = 1.5;
const GROWN_AT_MOST = 50;

export function streamsText(result: StreamResult | null): string[] {
  if (!result) return [];
  const { perSecond, transfers, alone, beside, receipt, idle, busy, lost, grown } = result;
  const row = (name: string, { p50, p99 }: Quantiles, target: string) => [
    name,
    p50.toFixed(2),
    p99.toFixed(2),
    target,
  ];
  const isSoon = receipt.p50 <= RECEIPT_AT_MOST.p50 && receipt.p99 <= RECEIPT_AT_MOST.p99;
  const soon = `<= ${RECEIPT_AT_MOST.p50} and ${RECEIPT_AT_MOST.p99}`;
  const times = beside.p99 / alone.p99;
  return [
    '',
    `${perSecond} transfers a second, ${whole(transfers)} in all, beside ${whole(idle)} idle ` +
      `listeners and ${busy} of the same realm`,
    '',
    ...table(
      ['', 'p50', 'p99', 'target'],
      [
        row('answer, without listeners', alone, ''),
        row(
          'answer',
          beside,
          `${times.toFixed(2)} <= ${TIMES_AT_MOST} times ${metOrMissed(times <= TIMES_AT_MOST)}`,
        ),
        row('event, after the answer', receipt, `${soon} ${metOrMissed(isSoon)}`),
      ],
    ),
    '',
    `events missed, doubled or out of order: ${lost} (${metOrMissed(lost === 0)}); memory grew ` +
      `by ${grown.toFixed(0)} MiB, at most ${GROWN_AT_MOST} ` +
      `(${metOrMissed(grown <= GROWN_AT_MOST)})`,
  ];
}
