import type { Kind } from '@realmkeep/client';
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { DayBars, type Series } from '../../ui/Chart.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { useQuery } from '../../ui/query.ts';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';

const SPANS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

/** What was issued and spent, day by day. */
export function Daily({ usual }: { usual: Kind }) {
  const { api, realm } = useRealm();
  const { query, set } = useQuery();
  const kind = useKind(usual);
  const days = query.days === '90' ? 90 : 30;
  const { value, error, reload } = useAnswer(`daily ${realm.id} ${kind.id} ${days}`, (signal) =>
    api.activity({ realmPointId: kind.id, days, signal }),
  );
  useArrivals(({ type }) => type.startsWith('points.'), reload);
  const [times, series] = useMemo((): [number[], Series[]] => {
    const all = value?.days ?? [];
    // Before the realm was created there was nothing to count.
    const isBefore = (day: string) => day < realm.createdAt.slice(0, 10);
    const amounts = (amount: 'issued' | 'spent') =>
      all.map((one) => (isBefore(one.day) ? null : one[amount]));
    return [
      all.map(({ day }) => Date.parse(day)),
      [
        { label: 'Issued', colour: '--accent', values: amounts('issued'), isFilled: true },
        { label: 'Spent', colour: '--held', values: amounts('spent') },
      ],
    ];
  }, [value, realm.createdAt]);
  return (
    <section class="card">
      <header class="wrap">
        <h2>Issued and spent</h2>
        <div class="row wrap push">
          <KindSelect usual={usual} />
          <Segments
            label="Span"
            value={String(days)}
            choices={SPANS}
            onChange={(span) => set({ days: span === '30' ? '' : span })}
          />
        </div>
      </header>
      <div class="body">
        {error && <ProblemNote error={error} retry={reload} />}
        {value && <DayBars label="Points issued and spent by day" times={times} series={series} />}
        {!value && !error && (
          <div class="plot-waiting">
            <Skeleton width={160} />
          </div>
        )}
        <p class="caption">
          By day in UTC; today is not over yet. Points that members give each other do not count.
        </p>
      </div>
    </section>
  );
}
