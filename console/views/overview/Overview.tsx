import type { ComponentChildren } from 'preact';
import { addresses } from '../../addresses.ts';
import { serviceNow } from '../../api/clock.ts';
import { View } from '../../frame/View.tsx';
import { useAnswer } from '../../state/answers.ts';
import { events, useArrivals } from '../../state/live.ts';
import { kindOf, useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { EventLine } from '../../ui/EventLine.tsx';
import { useStableWhileHovered } from '../../ui/hovering.ts';
import { Empty, ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { Amount, BigAmount, Time } from '../../ui/Values.tsx';
import { Checklist } from './Checklist.tsx';
import { Daily } from './Daily.tsx';
import { MostActive } from './MostActive.tsx';

export function Overview() {
  const { api, realm, kinds } = useRealm();
  const { value, error, reload } = useAnswer(`summary ${realm.id}`, (signal) =>
    api.summary({ signal }),
  );
  useArrivals(() => true, reload);
  const circulation = Object.entries(value?.circulation ?? {}).filter(
    ([id, tokens]) => tokens !== 0 || !kindOf(kinds, id).archived,
  );
  return (
    <View title="Overview">
      <div class="content">
        {error && <ProblemNote error={error} retry={reload} />}
        {value && <Checklist summary={value} />}
        <div class="figures">
          <Figure label="Members" value={value?.members}>
            {value && (
              <>
                Last change <Time at={value.lastActivityAt} />
              </>
            )}
          </Figure>
          {circulation.map(([id, tokens]) => (
            <Figure key={id} label={`${kindOf(kinds, id).name} in circulation`} value={tokens}>
              <HeldNote tokens={value?.held[id] ?? 0} />
            </Figure>
          ))}
          <Figure label="Changes today" value={value && (value.activity.at(-1)?.records ?? 0)}>
            {value && <>of {formatNumber(value.records)} in all</>}
          </Figure>
        </div>
        {value && value.members > 0 && (
          <>
            <Daily />
            <div class="two">
              <Latest />
              <MostActive />
            </div>
          </>
        )}
      </div>
    </View>
  );
}

function HeldNote({ tokens }: { tokens: number }) {
  return tokens > 0 ? (
    <>
      <Amount class="held" value={tokens} /> set aside
    </>
  ) : (
    <>Nothing set aside</>
  );
}

function Figure(props: { label: string; value: number | undefined; children?: ComponentChildren }) {
  return (
    <section class="card figure" aria-label={props.label}>
      <h3>
        <Text value={props.label} />
      </h3>
      {props.value === undefined ? (
        <div class="big">
          <Skeleton width={96} />
        </div>
      ) : (
        <BigAmount value={props.value} />
      )}
      <div class="caption">{props.children}</div>
    </section>
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
