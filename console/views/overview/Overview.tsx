import type { Kind, RealmSummary } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { serviceNow } from '../../api/clock.ts';
import { View } from '../../frame/View.tsx';
import { useAnswer } from '../../state/answers.ts';
import { events, useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import type { Figure } from '../../text/format.ts';
import { endBefore } from '../../text/period.ts';
import { Segments } from '../../ui/Choices.tsx';
import { EventLine } from '../../ui/EventLine.tsx';
import { useStableWhileHovered } from '../../ui/hovering.ts';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { useQuery } from '../../ui/query.ts';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { Circulation, Daily, Weeks } from './Daily.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { Reasons, TopEarners } from './Tops.tsx';
import { type Period, TrendCards } from './TrendCards.tsx';

const USUAL_SPAN = { value: '30', label: '30 days' };
const SPANS = [
  { value: '7', label: '7 days' },
  USUAL_SPAN,
  { value: '90', label: '90 days' },
  { value: '365', label: '12 months' },
];

export function Overview() {
  const { api, realm, kinds, defaultKind } = useRealm();
  const { value, error, reload } = useAnswer(`summary ${realm.id}`, (signal) =>
    api.summary({ signal }),
  );
  useArrivals(() => true, reload);
  // The default, unless only others are in use.
  const used = [defaultKind, ...kinds].find(({ id }) => !isZero(value?.circulation[id] ?? 0));
  const usual = used ?? defaultKind;
  return (
    <View title="Overview" class="content">
      {error && <ProblemNote error={error} retry={reload} />}
      <NeedsAttention />
      {value && <FirstSteps summary={value} />}
      {value && value.members > 0 && (
        <>
          <Trends usual={usual} summary={value} />
          <div class="two">
            <Latest />
            <TopEarners usual={usual} />
          </div>
        </>
      )}
    </View>
  );
}

const isZero = (tokens: Figure): boolean => BigInt(tokens) === 0n;

/** What became more or less; nothing before anybody is there. */
function Trends({ usual, summary }: { usual: Kind; summary: RealmSummary }) {
  const { api, realm } = useRealm();
  const { query, set } = useQuery();
  const kind = useKind(usual);
  const span = SPANS.find(({ value }) => value === query.days) ?? USUAL_SPAN;
  const days = Number(span.value);
  const key = `activity ${realm.id} ${kind.id} ${days}`;
  const { value, error, reload } = useAnswer(key, async (signal): Promise<Period> => {
    const of = { realmPointId: kind.id, days, signal };
    const to = endBefore(days, serviceNow());
    const isComparable = Date.parse(realm.createdAt) < endBefore(days, to.getTime()).getTime();
    const earlier = isComparable ? api.activity({ ...of, to }) : null;
    const [now, before] = await Promise.all([api.activity(of), earlier]);
    return { now, before };
  });
  useArrivals(({ type }) => /^(points|member|offer|claim)\./.test(type), reload);
  return (
    <>
      <div class="toolbar">
        <Segments
          label="Span"
          value={span.value}
          choices={SPANS}
          onChange={(to) => set({ days: to === USUAL_SPAN.value ? '' : to })}
        />
        <KindSelect usual={usual} />
      </div>
      {error && <ProblemNote error={error} retry={reload} />}
      {(value || !error) && (
        <>
          <TrendCards period={value} kind={kind} span={span.label} />
          <div class="two">
            <Daily activity={value?.now} />
            <Circulation activity={value?.now} summary={summary} kind={kind} />
          </div>
        </>
      )}
      <div class="two">
        <Weeks />
        <Reasons kind={kind} days={days} />
      </div>
    </>
  );
}

const SHOWN = 8;

function Latest() {
  const { realm } = useRealm();
  const { shown, handlers } = useStableWhileHovered(events.value?.slice(0, SHOWN));
  return (
    <section class="card" {...handlers}>
      <header>
        <h2>Latest activity</h2>
        <a class="link push" href={addresses.activity(realm.id)}>
          All
        </a>
      </header>
      {shown?.length === 0 && <Empty icon="activity" title="Nothing has happened yet" />}
      <ul class="events lined">
        {shown?.map((event) => (
          <EventLine key={event.seq} event={event} isFresh={isRecent(event.at)} />
        ))}
      </ul>
    </section>
  );
}

const isRecent = (at: string): boolean => serviceNow() - Date.parse(at) < 3_000;
