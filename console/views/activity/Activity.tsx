import type { RealmEvent } from '@realmkeep/client';
import { Component } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { View } from '../../frame/View.tsx';
import { events } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { EVENT_GROUPS, isInGroup } from '../../text/events.ts';
import { formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { EventLine } from '../../ui/EventLine.tsx';
import { useQuery } from '../../ui/query.ts';
import { Empty, Skeleton } from '../../ui/States.tsx';
import { useSentinel } from '../../ui/scrolling.ts';
import { RecordPanel } from './RecordPanel.tsx';
import { useFeed } from './use-feed.ts';

export function Activity({ seq }: { seq?: string }) {
  const { realm } = useRealm();
  const { route } = useLocation();
  const { query, search, set } = useQuery();
  const { group = '' } = query;
  return (
    <View title="Activity">
      <div class="content">
        <div class="toolbar">
          <Segments
            label="Type of event"
            value={group}
            choices={EVENT_GROUPS}
            onChange={(value) => set({ group: value })}
          />
        </div>
        <Feed group={group} search={search} />
      </div>
      {seq && (
        <RecordPanel
          seq={Number(seq)}
          onClose={() => route(addresses.activity(realm.id) + search)}
        />
      )}
    </View>
  );
}

/** Rows never move under the pointer, or while one reads further down: new ones wait. */
function Feed({ group, search }: { group: string; search: string }) {
  const [isPointed, setPointed] = useState(false);
  const isScrolled = useIsScrolled();
  const feed = useFeed(isPointed || isScrolled);
  const rows = feed.rows.filter(({ type }) => isInGroup(type, group));
  const waiting = feed.waiting.filter(({ type }) => isInGroup(type, group)).length;
  const sentinel = useSentinel(feed.loadOlder, feed.rows.length);
  const showLatest = (): void => {
    feed.showLatest();
    scrollTo({ top: 0 });
  };
  if (events.value === undefined) return <Skeleton width={240} />;
  return (
    <>
      <div
        class="card"
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
      >
        {waiting > 0 && (
          <div class="waiting">
            <Button small tone="primary" onClick={showLatest}>
              {formatNumber(waiting)}
              {feed.isMoreWaiting && '+'} new
            </Button>
          </div>
        )}
        {rows.length === 0 && !feed.hasOlder ? <Nothing /> : <Rows rows={rows} search={search} />}
      </div>
      <div ref={sentinel} />
    </>
  );
}

/** Whether the first rows are out of sight. */
function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = (): void => setScrolled(scrollY > NEAR_TOP);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}

const NEAR_TOP = 80;

function Rows({ rows, search }: { rows: RealmEvent[]; search: string }) {
  const [firstSeen] = useState(rows[0]?.seq ?? 0);
  return (
    <ul class="feed">
      {rows.map((event) => (
        <Row key={event.seq} event={event} search={search} isFresh={event.seq > firstSeen} />
      ))}
    </ul>
  );
}

interface RowProps {
  event: RealmEvent;
  search: string;
  isFresh: boolean;
}

/** Only new rows are drawn: under load the others are many, and stay as they are. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.event !== this.props.event || next.search !== this.props.search;
  }

  override render() {
    return <EventLine {...this.props} />;
  }
}

function Nothing() {
  return (
    <Empty icon="activity" title="Nothing has happened yet">
      <p>Whatever changes in this realm appears here at once, and stays.</p>
    </Empty>
  );
}
