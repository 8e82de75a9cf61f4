import type { Kind, Transaction } from '@realmkeep/client';
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { Chart, type Series } from '../../ui/Chart.tsx';

interface ChartProps {
  memberId: string;
  kind: Kind;
  changes: number;
}

/** How the balance became what it is. */
export function BalanceChart({ memberId, kind, changes }: ChartProps) {
  const { api } = useRealm();
  const { value } = useAnswer(
    `balance ${api.id} ${memberId} ${kind.id}`,
    (signal) => api.member(memberId).transactions({ realmPointId: kind.id, limit: 500, signal }),
    changes,
  );
  const [times, series] = useMemo(() => levels(value?.items ?? []), [value]);
  if (times.length < 3) return null;
  return <Chart small label={`Balance over time`} times={times} series={series} />;
}

function levels(newestFirst: Transaction[]): [number[], Series[]] {
  const items = newestFirst.toReversed();
  const times = [...items.map(({ at }) => Date.parse(at)), Date.now()];
  const values = items.map(({ balance }) => balance);
  const line: Series = {
    label: 'Balance',
    colour: '--accent',
    values: [...values, values.at(-1) ?? 0],
    isLevel: true,
    isFilled: true,
  };
  return [times, [line]];
}
