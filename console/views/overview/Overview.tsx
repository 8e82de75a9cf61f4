import type { ComponentChildren } from 'preact';
import { addresses } from '../../addresses.ts';
import { serviceNow } from '../../api/clock.ts';
import { View } from '../../frame/View.tsx';
import { useAnswer } from '../../state/answers.ts';
import { events, useArrivals } from '../../state/live.ts';
import { kindOf, useRealm } from '../../state/realm.ts';
import { may } from '../../state/session.ts';
import { type Figure, formatNumber } from '../../text/format.ts';
import { EventLine } from '../../ui/EventLine.tsx';
import { useStableWhileHovered } from '../../ui/hovering.ts';
import { Empty, ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { Amount, BigAmount, Time } from '../../ui/Values.tsx';
import { Checklist } from './Checklist.tsx';
import { Daily } from './Daily.tsx';
import { FailingWebhooks } from './FailingWebhooks.tsx';
import { TopEarners } from './TopEarners.tsx';

export function Overview() {
  const { api, realm, kinds, defaultKind } = useRealm();
  const { value, error, reload } = useAnswer(`summary ${realm.id}`, (signal) =>
    api.summary({ signal }),
  );
  useArrivals(() => true, reload);
  const circulation = Object.entries(value?.circulation ?? {}).filter(
    ([id, tokens]) => !isZero(tokens) || !kindOf(kinds, id).archived,
  );
  // The default, unless only others are in use.
  const used = [defaultKind, ...kinds].find(({ id }) => !isZero(value?.circulation[id] ?? 0));
  const usual = used ?? defaultKind;
  return (
    <View title="Overview">
      <div class="content">
        {error && <ProblemNote error={error} retry={reload} />}
        {may('admin') && <FailingWebhooks />}
        {value && <Checklist summary={value} />}
        <div class="figures">
          <FigureCard label="Members" value={value?.members}>
            {value && (
              <>
                Last change <Time at={value.lastActivityAt} />
              </>
            )}
          </FigureCard>
          {circulation.map(([id, tokens]) => (
            <FigureCard key={id} label={`${kindOf(kinds, id).name} in circulation`} value={tokens}>
              <HeldNote tokens={value?.held[id] ?? 0} />
            </FigureCard>
          ))}
          <FigureCard label="Changes today" value={value && (value.activity.at(-1)?.records ?? 0)}>
            {value && <>of {formatNumber(value.records)} in all</>}
          </FigureCard>
        </div>
        {value && value.members > 0 && (
          <>
            <Daily usual={usual} />
            <div class="two">
              <Latest />
              <TopEarners usual={usual} />
            </div>
          </>
        )}
      </div>
    </View>
  );
}

const isZero = (tokens: Figure): boolean => BigInt(tokens) === 0n;

function HeldNote({ tokens }: { tokens: Figure }) {
  return isZero(tokens) ? (
    <>Nothing on hold</>
  ) : (
    <>
      <Amount class="held" value={tokens} /> on hold
    </>
  );
}

/** On a phone half of the width is too narrow for more characters. */
const LONG = 12;

interface CardProps {
  label: string;
  value: Figure | undefined;
  children?: ComponentChildren;
}

function FigureCard(props: CardProps) {
  const isLong = formatNumber(props.value ?? 0).length > LONG;
  return (
    <section class={isLong ? 'card figure long' : 'card figure'} aria-label={props.label}>
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
