import { useMemo } from 'preact/hooks';
import { serviceNow } from '../../api/clock.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { DAY_MS, formatDay } from '../../text/format.ts';
import { daysOfWeeks, weeksOf } from '../../text/period.ts';
import { DayBars, type Series } from '../../ui/Chart.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';

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
