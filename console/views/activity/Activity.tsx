import type { RealmEvent } from '@realmkeep/client';
import { Component } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { recordAt } from '../../api/journal-end.ts';
import { View } from '../../frame/View.tsx';
import { useAnswer } from '../../state/answers.ts';
import { erasures } from '../../state/erasures.ts';
import { keptPlace } from '../../state/history.ts';
import { events } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import {
  EVENT_COLUMNS,
  EVENT_FILTERS,
  type EventFilters,
  endOf,
  hasEventFilters,
} from '../../text/event-filters.ts';
import { EVENT_GROUPS } from '../../text/events.ts';
import { formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { EventLine } from '../../ui/EventLine.tsx';
import { useQuery } from '../../ui/query.ts';
import { SaveList } from '../../ui/SaveList.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/States.tsx';
import { useSentinel } from '../../ui/scrolling.ts';
import { EventFilterDialog } from '../many/later.tsx';
import { RecordPanel } from './RecordPanel.tsx';
import { Referring } from './Referring.tsx';
import { type AskedEvents, type ShownEvents, useEvents } from './use-events.ts';

export function Activity({ seq }: { seq?: string }) {
  const { realm } = useRealm();
  const { route } = useLocation();
  const { query, search, set } = useQuery();
  const filters = pickFilters(query);
  const before = useEnd(endOf(filters));
  const group = EVENT_GROUPS.find(({ value }) => value === query.group)?.value ?? '';
  return (
    <View title="Activity">
      <div class="content">
        {query.reference ? (
          <Referring reference={query.reference} onClear={() => set({ reference: '' })} />
        ) : (
          <>
            <div class="toolbar">
              <Segments
                label="Type of event"
                value={group}
                choices={EVENT_GROUPS}
                onChange={(value) => set({ group: value })}
              />
              <EventFilterButtons filters={filters} set={set} />
            </div>
            {before === undefined ? (
              <Skeleton width={240} />
            ) : (
              <EventList
                key={`${group} ${erasures.value} ${JSON.stringify(filters)}`}
                asked={{ group, filters, before }}
                search={search}
              />
            )}
          </>
        )}
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

const pickFilters = (query: Record<string, string>): EventFilters =>
  Object.fromEntries(EVENT_FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

/** The record before which an instant is; null for now, undefined until it is known. */
function useEnd(at: number | null): number | null | undefined {
  const { api } = useRealm();
  const [newest] = events.value ?? [];
  const { value } = useAnswer(`record at ${api.id} ${at} ${newest !== undefined}`, (signal) =>
    at === null || !newest ? Promise.resolve(null) : recordAt(api, at, newest.seq, signal),
  );
  return at === null ? null : (value ?? undefined);
}

interface ButtonsProps {
  filters: EventFilters;
  set: (changes: Record<string, string>) => void;
}

function EventFilterButtons({ filters, set }: ButtonsProps) {
  const [isOpen, setOpen] = useState(false);
  const none = Object.fromEntries(EVENT_FILTERS.map((name) => [name, '']));
  const count = Object.keys(filters).length;
  return (
    <div class="row push">
      {count > 0 && (
        <Button tone="quiet" onClick={() => set(none)}>
          Clear
        </Button>
      )}
      <Button icon="filter" onClick={() => setOpen(true)}>
        {count > 0 ? `Filter · ${count}` : 'Filter'}
      </Button>
      {isOpen && (
        <EventFilterDialog filters={filters} onFilter={set} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}

/** Rows never move under the pointer, or while one reads further down: new ones wait. */
function EventList({ asked, search }: { asked: AskedEvents; search: string }) {
  const { realm } = useRealm();
  const [isPointed, setPointed] = useState(false);
  const isScrolled = useIsScrolled();
  const shown = useEvents(asked, isPointed || isScrolled);
  const { rows, waiting, hasOlder, loadOlder } = shown;
  const isAsking = hasOlder && !shown.older.error;
  const sentinel = useSentinel(isAsking ? loadOlder : undefined, shown.oldest);
  const showLatest = (): void => {
    shown.showLatest();
    scrollTo({ top: 0 });
  };
  if (shown.newest === 0) return <Skeleton width={240} />;
  return (
    <>
      <div
        class="card"
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
      >
        {waiting.length > 0 && (
          <div class="waiting">
            <Button small tone="primary" onClick={showLatest}>
              {formatNumber(waiting.length)}
              {shown.isMoreWaiting && '+'} new
            </Button>
          </div>
        )}
        {rows.length > 0 && <Events shown={shown} search={search} />}
        {rows.length === 0 && !hasOlder && (
          <Nothing isFiltered={asked.group !== '' || hasEventFilters(asked.filters)} />
        )}
        {hasOlder && <Older shown={shown} />}
      </div>
      <SaveList
        name={`${realm.id}-activity`}
        rows={rows.map((event) => ({ ...event.data, ...event }))}
        columns={EVENT_COLUMNS}
      />
      <div ref={sentinel} />
    </>
  );
}

function Older({ shown }: { shown: ShownEvents }) {
  const { isLoading, error } = shown.older;
  if (error) return <ProblemNote error={error} retry={shown.loadOlder} />;
  if (!isLoading) return null;
  return (
    <div class="events-end caption" role="status">
      Looking further back…
    </div>
  );
}

/** Whether the first rows are out of sight, or will be as soon as one is back where one was. */
function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState((keptPlace() ?? 0) > NEAR_TOP);
  useEffect(() => {
    const look = (): void => setScrolled(scrollY > NEAR_TOP);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}

const NEAR_TOP = 80;

function Events({ shown, search }: { shown: ShownEvents; search: string }) {
  const [firstSeen] = useState(shown.newest);
  return (
    <ul class="events">
      {shown.rows.map((event) => (
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

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const title = isFiltered ? 'Nothing of this kind has happened yet' : 'Nothing has happened yet';
  return (
    <Empty icon="activity" title={title}>
      <p>Whatever changes in this realm appears here at once, and stays.</p>
    </Empty>
  );
}
