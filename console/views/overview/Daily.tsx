import { useMemo } from 'preact/hooks';
import { serviceNow } from '../../api/clock.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { DAY_MS, formatDay } from '../../text/format.ts';
import { Chart, type Series } from '../../ui/Chart.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { useQuery } from '../../ui/query.ts';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';

const SPANS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

/** What was issued and spent, day by day. */
export function Daily() {
  const { api, realm } = useRealm();
  const { query, set } = useQuery();
  const kind = useKind();
  const days = query.days === '90' ? 90 : 30;
  const { value, error, reload } = useAnswer(`daily ${realm.id} ${kind.id} ${days}`, (signal) =>
    api.activity({ realmPointId: kind.id, days, signal }),
  );
  useArrivals(({ type }) => type.startsWith('points.'), reload);
  const [times, series] = useMemo((): [number[], Series[]] => {
    const all = value?.days ?? [];
    return [
      all.map(({ day }) => Date.parse(day)),
      [
        {
          label: 'Issued',
          colour: '--accent',
          values: all.map((day) => day.issued),
          isFilled: true,
        },
        { label: 'Spent', colour: '--held', values: all.map((day) => day.spent) },
      ],
    ];
  }, [value]);
  return (
    <section class="card">
      <header class="wrap">
        <h2>Issued and spent</h2>
        <div class="row push">
          <KindSelect />
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
        {value && (
          <Chart
            label="Points issued and spent by day"
            times={times}
            series={series}
            formatTime={dayName}
          />
        )}
        {!value && !error && (
          <div class="plot-waiting">
            <Skeleton width={160} />
          </div>
        )}
        <p class="caption">By day in UTC. Points that members give each other do not count.</p>
      </div>
    </section>
  );
}

const dayName = (at: number): string =>
  serviceNow() - at < DAY_MS ? 'Today so far' : formatDay(at);
