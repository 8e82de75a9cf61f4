import type { Activity, Kind, RealmSummary } from '@realmkeep/client';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { serviceNow } from '../../api/clock.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { DAY_MS, formatDay } from '../../text/format.ts';
import { daysOfWeeks, weeksOf } from '../../text/period.ts';
import { Chart, DayBars, type Series } from '../../ui/Chart.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { Amount, BigAmount } from '../../ui/Values.tsx';

interface DailyProps {
  activity: Activity | undefined;
}

type Figures = (day: Activity['days'][number]) => number | bigint;
type Line = Omit<Series, 'values'> & { of: Figures };

/** Its days, and a line for each series. */
function useLines(
  activity: Activity | undefined,
  lines: Line[],
): [times: number[], series: Series[]] {
  const { realm } = useRealm();
  return useMemo(() => {
    const all = activity?.days ?? [];
    // Before the realm was created there was nothing to count.
    const isBefore = (day: string) => day < realm.createdAt.slice(0, 10);
    const series = lines.map(({ of, ...line }) => {
      return { ...line, values: all.map((one) => (isBefore(one.day) ? null : of(one))) };
    });
    return [all.map(({ day }) => Date.parse(day)), series];
  }, [activity, lines, realm.createdAt]);
}

const ISSUED_AND_SPENT: Line[] = [
  { label: 'Issued', colour: '--accent', of: ({ issued }) => issued },
  { label: 'Spent', colour: '--held', of: ({ spent }) => spent },
];

/** What was issued and spent, day by day. */
export function Daily({ activity }: DailyProps) {
  const { realm } = useRealm();
  const [times, series] = useLines(activity, ISSUED_AND_SPENT);
  return (
    <ChartCard title="Issued and spent" isKnown={activity !== undefined}>
      <DayBars
        label="Points issued and spent by day"
        times={times}
        series={series}
        hrefOf={(time) => addresses.day(realm.id, time)}
      />
      <p class="caption">
        By day in UTC; today is not over yet. Points that members give each other do not count.
      </p>
    </ChartCard>
  );
}

const CIRCULATION: Line[] = [
  {
    label: 'In circulation',
    colour: '--accent',
    isFilled: true,
    of: ({ circulation }) => circulation,
  },
];

/** What all members have together, and had at the end of each day. */
export function Circulation(props: DailyProps & { summary: RealmSummary | undefined; kind: Kind }) {
  const { activity, summary, kind } = props;
  const [times, series] = useLines(activity, CIRCULATION);
  const held = summary?.held[kind.id] ?? 0;
  return (
    <ChartCard title={`${kind.name} in circulation`} isKnown={activity !== undefined}>
      {summary && <BigAmount value={summary.circulation[kind.id] ?? 0} />}
      <p class="caption">
        {BigInt(held) === 0n ? (
          'Nothing on hold'
        ) : (
          <>
            <Amount class="held" value={held} /> on hold
          </>
        )}
      </p>
      <Chart label={`${kind.name} in circulation by day`} times={times} series={series} small />
      <p class="caption">What all members have together, at the end of each day in UTC.</p>
    </ChartCard>
  );
}

function ChartCard(props: { title: string; isKnown: boolean; children: ComponentChildren }) {
  return (
    <section class="card figure-chart" aria-label={props.title}>
      <header>
        <h2>
          <Text value={props.title} />
        </h2>
      </header>
      <div class="body">
        {props.isKnown ? (
          props.children
        ) : (
          <div class="plot-waiting">
            <Skeleton width={160} />
          </div>
        )}
      </div>
    </section>
  );
}

const SHOWN = 12;

/** Who was active for the first time in each of the last weeks, and who came back. */
export function Weeks() {
  const { api, realm } = useRealm();
  const { value, error, reload } = useAnswer(`weeks ${realm.id}`, (signal) =>
    api.activity({ days: daysOfWeeks(SHOWN, serviceNow()), signal }),
  );
  useArrivals(({ type }) => /^(points|offer)\./.test(type), reload);
  const [times, series] = useMemo((): [number[], Series[]] => {
    // Before the realm was created there was nobody.
    const created = Date.parse(realm.createdAt);
    const weeks = weeksOf(value?.days ?? []).filter(({ from }) => from + 7 * DAY_MS > created);
    return [
      weeks.map(({ from }) => from),
      [
        { label: 'New', colour: '--held', values: weeks.map((week) => week.newMembers) },
        {
          label: 'Returning',
          colour: '--accent',
          values: weeks.map((week) => week.returningMembers),
        },
      ],
    ];
  }, [value, realm.createdAt]);
  return (
    <section class="card">
      <header>
        <h2>New and returning members</h2>
      </header>
      {error && <ProblemNote error={error} retry={reload} />}
      <div class="body">
        {value && (
          <DayBars
            label="New and returning members by week"
            times={times}
            series={series}
            nameOf={(monday) => `Week from ${formatDay(monday)}`}
          />
        )}
        {!value && !error && (
          <div class="plot-waiting">
            <Skeleton width={160} />
          </div>
        )}
        <p class="caption">
          Members who earned, spent, gave or got points, by week from Monday; this week is not over
          yet.
        </p>
      </div>
    </section>
  );
}
