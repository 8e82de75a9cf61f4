import { useMemo } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { DAY_MS, formatDay } from '../../text/format.ts';
import { Chart, type Series } from '../../ui/Chart.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { Select } from '../../ui/Field.tsx';
import { useQuery } from '../../ui/query.ts';
import { Skeleton } from '../../ui/States.tsx';

const SPANS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

/** What was issued and spent, day by day. */
export function Daily() {
  const { api, realm, kinds, defaultKind } = useRealm();
  const { query, set } = useQuery();
  const { kind = defaultKind.id } = query;
  const days = query.days === '90' ? 90 : 30;
  const { value, reload } = useAnswer(`daily ${realm.id} ${kind} ${days}`, (signal) =>
    api.activity({ realmPointId: kind, days, signal }),
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
          {kinds.length > 1 && (
            <Select
              label="Kind of points"
              value={kind}
              choices={kinds.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(id) => set({ kind: id === defaultKind.id ? '' : id })}
            />
          )}
          <Segments
            label="Span"
            value={String(days)}
            choices={SPANS}
            onChange={(span) => set({ days: span === '30' ? '' : span })}
          />
        </div>
      </header>
      <div class="body">
        {value ? (
          <Chart
            label="Points issued and spent by day"
            times={times}
            series={series}
            formatTime={dayName}
          />
        ) : (
          <div class="plot-waiting">
            <Skeleton width={160} />
          </div>
        )}
        <p class="caption">By day in UTC. Gifts between members are neither.</p>
      </div>
    </section>
  );
}

const dayName = (at: number): string => (Date.now() - at < DAY_MS ? 'Today so far' : formatDay(at));
