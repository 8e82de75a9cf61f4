import type { RealmEvent } from '@realmkeep/client';
import { addresses } from '../addresses.ts';
import { kindOf, useRealm } from '../state/realm.ts';
import { eventStyle, isErased, partsOf } from '../text/events.ts';
import { shortId } from '../text/format.ts';
import { amountOf } from '../text/sentence.ts';
import { Counterparty } from './Counterparty.tsx';
import { Icon } from './Icon.tsx';
import { Text } from './Text.tsx';
import { Time } from './Values.tsx';

/** One line of the activity; it opens the record. */
export function EventLine(props: { event: RealmEvent; isFresh?: boolean; search?: string }) {
  const { event, isFresh = false, search } = props;
  const { api } = useRealm();
  const { icon, tone } = eventStyle(event);
  const { description } = event.data as { description?: string };
  return (
    <li class={isFresh ? 'fresh' : ''}>
      <Icon name={icon} class={tone ?? ''} />
      <span class="what ellipsis">
        <EventSentence event={event} />
        {description && (
          <>
            {' '}
            <span class="muted aside">
              <Text value={description} />
            </span>
          </>
        )}
        {isErased(event) && (
          <>
            {' '}
            <span class="muted aside">erased</span>
          </>
        )}
      </span>
      <a class="row-link" href={addresses.record(api.id, event.seq, search)}>
        <span class="visually-hidden">Record {event.seq}, </span>
        <Time at={event.at} />
      </a>
    </li>
  );
}

export function EventSentence({ event }: { event: RealmEvent }) {
  return (
    <>
      {partsOf(eventStyle(event).says).map((part) =>
        'text' in part ? part.text : <Slot key={part.slot} name={part.slot} event={event} />,
      )}
    </>
  );
}

function Slot({ name, event }: { name: string; event: RealmEvent }) {
  const { kinds } = useRealm();
  const data = event.data as Record<string, string | number | undefined>;
  if (name === 'amount') {
    const kind = kindOf(kinds, String(data.realmPointId));
    return <b>{amountOf(Math.abs(Number(data.tokens)), kind)}</b>;
  }
  if (name === 'member') return <Counterparty id={String(data.memberId)} />;
  if (name === 'recipient') return <Counterparty id={String(data.recipientId)} />;
  if (name === 'address') {
    return <span class="mono">{data.address ? shortId(String(data.address), 6) : '…'}</span>;
  }
  const text = <Text value={String(data[name] ?? '')} />;
  return name === 'name' ? <>“{text}”</> : <span class="mono">{text}</span>;
}
