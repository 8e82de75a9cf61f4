import { serviceNow } from '../../api/clock.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { formatDay, formatNumber } from '../../text/format.ts';
import { daysOfWeeks, type Week, weeksOf } from '../../text/period.ts';

const SHOWN = 12;

/** Who was active for the first time in each of the last weeks, and who came back. */
export function Weeks() {
  const { api, realm } = useRealm();
  const { value, reload } = useAnswer(`weeks ${realm.id}`, (signal) =>
    api.activity({ days: daysOfWeeks(SHOWN, serviceNow()), signal }),
  );
  useArrivals(({ type }) => /^(points|offer)\./.test(type), reload);
  const weeks = weeksOf(value?.days ?? []);
  const top = Math.max(1, ...weeks.map(totalOf));
  const share = (members: number) => ({ height: `${(100 * members) / top}%` });
  return (
    <section class="card">
      <header>
        <h2>New and returning members</h2>
      </header>
      <div class="body">
        <div class="readout" aria-hidden="true">
          <span>
            <span class="swatch" /> New
          </span>
          <span>
            <span class="swatch faint" /> Returning
          </span>
        </div>
        <div class="weeks" aria-hidden="true">
          {weeks.map((week, index) => (
            <div key={week.from} title={titleOf(week, index === weeks.length - 1)}>
              <i class="new" style={share(week.newMembers)} />
              <i style={share(week.returningMembers)} />
              {(weeks.length - 1 - index) % LABELLED === 0 && <span>{dayOf(week)}</span>}
            </div>
          ))}
        </div>
        <table class="visually-hidden">
          <caption>New and returning members by week</caption>
          <thead>
            <tr>
              <th scope="col">Week from</th>
              <th scope="col">New</th>
              <th scope="col">Returning</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.from}>
                <th scope="row">{dayOf(week)}</th>
                <td>{formatNumber(week.newMembers)}</td>
                <td>{formatNumber(week.returningMembers)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="caption">
          Members who earned, spent, gave or got points, by week from Monday; this week is not over
          yet.
        </p>
      </div>
    </section>
  );
}

/** On a phone there is no room for more. */
const LABELLED = 3;

const dayOf = ({ from }: Week): string => formatDay(from);

const totalOf = ({ newMembers, returningMembers }: Week): number => newMembers + returningMembers;

const titleOf = (week: Week, isLast: boolean): string =>
  `${isLast ? 'This week so far' : `Week from ${dayOf(week)}`}: ` +
  `${formatNumber(week.newMembers)} new, ${formatNumber(week.returningMembers)} returning`;
