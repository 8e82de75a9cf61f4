import type { Claim, RealmEvent } from '@realmkeep/client';
import type { ComponentChildren } from 'preact';
import { addresses } from '../addresses.ts';
import { kindOf, useRealm } from '../state/realm.ts';
import { eventStyle, isErased, offerIn, partsOf, settingsIn } from '../text/events.ts';
import { shortId } from '../text/format.ts';
import { hueOf } from '../text/marks.ts';
import { personIn, type Role, roleName } from '../text/people.ts';
import { movedIn } from '../text/sentence.ts';
import { Counterparty } from './Counterparty.tsx';
import { Icon } from './Icon.tsx';
import { ClaimAmounts, OfferName } from './Offers.tsx';
import { Original } from './Original.tsx';
import { ByPerson, PersonName } from './PersonName.tsx';
import { Text } from './Text.tsx';
import { Time } from './Values.tsx';

/** One line of the activity; it opens the record. */
export function EventLine(props: { event: RealmEvent; isFresh?: boolean; search?: string }) {
  const { event, isFresh = false, search } = props;
  const { api } = useRealm();
  const { icon, tone } = eventStyle(event);
  // That of an offer is a text for members.
  const isOfOffer = offerIn(event) !== undefined;
  const { description } = isOfOffer ? {} : (event.data as { description?: string });
  return (
    <li class={isFresh ? 'fresh' : ''}>
      <Icon name={icon} class={tone ?? ''} />
      <span class="what ellipsis">
        <EventSentence event={event} />
        {description && <Aside is={<Text value={description} />} />}
        {personIn(event.actor) && <Aside is={<ByPerson actor={event.actor} />} />}
        {event.type === 'offer.claimed' && (
          <Aside is={<ClaimAmounts claim={event.data as unknown as Claim} />} />
        )}
        {isErased(event) && <Aside is="erased" />}
      </span>
      <a class="row-link" href={addresses.record(api.id, event.seq, search)}>
        <span class="visually-hidden">Record {event.seq}, </span>
        <Time at={event.at} />
      </a>
    </li>
  );
}

const Aside = ({ is }: { is: ComponentChildren }) => (
  <>
    {' '}
    <span class="muted aside">{is}</span>
  </>
);

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
    return (
      <b class="inked" style={{ '--hue': hueOf(kind.id) }}>
        {movedIn(data, kind)}
      </b>
    );
  }
  if (name === 'original') {
    return <Original seq={Number(data.reversalOf)} description={data.originalDescription} />;
  }
  if (name === 'settings') return <>{settingsIn(event)}</>;
  if (name === 'offer') return <OfferName id={offerIn(event) ?? ''} />;
  if (name === 'member') return <Counterparty id={String(data.memberId)} />;
  if (name === 'person') return <PersonSlot id={String(data.personId)} name={data.name} />;
  if (name === 'role') return <>{roleName(data.role as Role).toLowerCase()}</>;
  if (name === 'recipient') return <Counterparty id={String(data.recipientId)} />;
  if (name === 'address') {
    return <span class="mono">{data.address ? shortId(String(data.address), 6) : '…'}</span>;
  }
  const field = name === 'key' ? (data.name === undefined ? 'keyId' : 'name') : name;
  const text = <Text value={String(data[field] ?? '')} />;
  return field === 'name' ? <>“{text}”</> : <span class="mono">{text}</span>;
}

/** As called then, if the record says so. */
function PersonSlot({ id, name }: { id: string; name: string | number | undefined }) {
  return name === undefined ? <PersonName id={id} /> : <Text value={String(name)} />;
}
