import { LATENCY_TARGETS, type StreamResult } from './cases/streams.ts';
import { metOrMissed, table, whole } from './table.ts';

export function streamsText(result: StreamResult | null): string[] {
  if (!result) return [];
  const { perSecond, transfers, p50, p99, answerP50, answerP99 } = result;
  const targets = `<= ${LATENCY_TARGETS.p50} and ${LATENCY_TARGETS.p99}`;
  const met = metOrMissed(p50 <= LATENCY_TARGETS.p50 && p99 <= LATENCY_TARGETS.p99);
  return [
    '',
    `A stream of events beside ${perSecond} transfers a second: ${whole(transfers)} of them`,
    '',
    ...table(
      ['', 'p50', 'p99', 'target'],
      [
        ['from the answer to the event', p50.toFixed(2), p99.toFixed(2), `${targets} ${met}`],
        ['from the request to the answer', answerP50.toFixed(2), answerP99.toFixed(2), ''],
      ],
    ),
  ];
}
