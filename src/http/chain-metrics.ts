import type { Metric } from 'prom-client';
import { metric, type Series } from './metric.ts';
import type { ChainCount, Services } from './services.ts';

export function chainMetrics({ chainCounts }: Services): Metric[] {
  const perChain = (read: (count: ChainCount) => number | null) => (): Series[] =>
    chainCounts().chains.flatMap((count) => {
      const value = read(count);
      return value === null ? [] : [{ labels: { chain: count.chain }, value }];
    });
  return [
    metric(
      'counter',
      'chain_reads_total',
      'Reads of a chain.',
      perChain(({ reads }) => reads),
    ),
    metric('counter', 'chain_failures_total', 'Failed reads of a chain, by kind of failure.', () =>
      chainCounts().chains.flatMap(({ chain, failures }) =>
        Object.entries(failures).map(([failure, value]) => ({
          labels: { chain, failure },
          value,
        })),
      ),
    ),
    metric(
      'counter',
      'chain_behind_total',
      'Answers from a node that was behind a block it had already served.',
      perChain(({ behind }) => behind),
    ),
    metric(
      'counter',
      'chain_unanswered_total',
      'Calls that a contract did not answer as its standard requires.',
      perChain(({ unanswered }) => unanswered),
    ),
    metric(
      'gauge',
      'chain_failing',
      'Whether the last read of a chain failed.',
      perChain(({ failing }) => Number(failing)),
    ),
    metric(
      'gauge',
      'chain_block',
      'The highest block seen on the chain.',
      perChain(({ highestBlock }) => highestBlock),
    ),
    metric('gauge', 'chain_balances_kept', 'On-chain balances in the cache.', () => [
      { value: chainCounts().entries },
    ]),
  ];
}
