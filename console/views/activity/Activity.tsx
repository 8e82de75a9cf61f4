import type { RealmEvent } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { View } from '../../frame/View.tsx';
import { events } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { EVENT_GROUPS, isInGroup } from '../../text/events.ts';
import { plural } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { EventLine } from '../../ui/EventLine.tsx';
import { useQuery } from '../../ui/query.ts';
import { Empty, Skeleton } from '../../ui/States.tsx';
import { useSentinel } from '../../ui/scrolling.ts';
import { useHistory } from './history.ts';
import { RecordPanel } from './RecordPanel.tsx';

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
            label="Kind of event"
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

/** The rows never move under the pointer: while it is on them, new ones wait. */
function Feed({ group, search }: { group: string; search: string }) {
  const { older, hasOlder, loadOlder } = useHistory();
  const [isPointed, setPointed] = useState(false);
  const [shownUpTo, setShownUpTo] = useState(0);
  const live = events.value ?? [];
  const newest = live[0]?.seq ?? 0;
  const isHeld = isPointed && shownUpTo > 0;
  if (!isHeld && shownUpTo !== newest) setShownUpTo(newest);
  const limit = isHeld ? shownUpTo : newest;
  const all = [...live.filter((event) => event.seq <= limit), ...older];
  const rows = all.filter(({ type }) => isInGroup(type, group));
  const waiting = live.filter((event) => event.seq > limit && isInGroup(event.type, group)).length;
  const sentinel = useSentinel(loadOlder, all.length);
  if (events.value === undefined) return <Skeleton width={240} />;
  return (
    <>
      {waiting > 0 && (
        <div class="waiting">
          <Button small tone="primary" onClick={() => setShownUpTo(newest)}>
            {plural(waiting, 'new', 'new')}
          </Button>
        </div>
      )}
      <div
        class="card"
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
      >
        {rows.length === 0 && !hasOlder ? <Nothing /> : <Rows rows={rows} search={search} />}
      </div>
      <div ref={sentinel} />
    </>
  );
}

function Rows({ rows, search }: { rows: RealmEvent[]; search: string }) {
  const [firstSeen] = useState(rows[0]?.seq ?? 0);
  return (
    <ul class="feed">
      {rows.map((event) => (
        <EventLine key={event.seq} event={event} search={search} isFresh={event.seq > firstSeen} />
      ))}
    </ul>
  );
}

function Nothing() {
  return (
    <Empty icon="activity" title="Nothing has happened yet">
      <p>Whatever changes in this realm appears here at once, and stays.</p>
    </Empty>
  );
}
