import type { ComponentChildren } from 'preact';
import { addresses } from '../../addresses.ts';
import { type AttentionItem, attentionIn, dismiss } from '../../state/attention.ts';
import { now } from '../../state/clock.ts';
import { kindOf, useRealm } from '../../state/realm.ts';
import { plural } from '../../text/format.ts';
import type { IconName } from '../../text/icons.ts';
import { personIn } from '../../text/people.ts';
import { amountOf } from '../../text/sentence.ts';
import { Button } from '../../ui/Button.tsx';
import { Counterparty } from '../../ui/Counterparty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';
import { KeyName } from '../activity/RecordPanel.tsx';

/** What somebody should look at, each with what to do; nothing if all is well. */
export function NeedsAttention() {
  const { realm } = useRealm();
  const items = attentionIn(realm.id);
  if (!items || items.length === 0) return null;
  return (
    <section class="card" aria-label="Needs attention">
      <header>
        <h2>Needs attention</h2>
        <span class="count">{items.length}</span>
      </header>
      <ul class="attention lined">
        {items.map((item) => (
          <Item key={JSON.stringify(item)} item={item} />
        ))}
      </ul>
    </section>
  );
}

interface Shown {
  icon: IconName;
  /** Only reason for red: something does not work. */
  isFault?: boolean;
  says: ComponentChildren;
  advice: string;
  link?: string;
  to?: string;
}

function Item({ item }: { item: AttentionItem }) {
  const { realm } = useRealm();
  const { icon, isFault = false, says, advice, link, to } = SHOWN[item.type](item, realm.id);
  return (
    <li>
      <Icon name={icon} class={isFault ? 'tone-out' : 'tone-held'} />
      <div>
        <p>{says}</p>
        <p class="caption">{advice}</p>
      </div>
      <div class="row">
        {to && (
          <a class="link" href={to}>
            {link}
          </a>
        )}
        <Button
          tone="quiet"
          small
          icon="close"
          label="Dismiss until it changes"
          onClick={() => dismiss(realm.id, item)}
        />
      </div>
    </li>
  );
}

/** As many claims are counted. */
const MOST = 100;

/** Each says what is, and what to do. */
const SHOWN: Record<AttentionItem['type'], (item: AttentionItem, realm: string) => Shown> = {
  'check-failed': ({ detail = '' }, realm) => ({
    icon: 'integrity',
    isFault: true,
    says: (
      <>
        Something does not add up: <Text value={detail} />.
      </>
    ),
    advice: 'Keep all backups that there are. Whoever runs the service may have to restore one.',
    to: addresses.integrity(realm),
    link: 'Open integrity',
  }),
  'backup-overdue': ({ at }) => ({
    icon: 'alert',
    isFault: true,
    says: at ? (
      <>
        The last backup was made <Time at={at} />.
      </>
    ) : (
      'There is no backup yet.'
    ),
    advice: 'The log of the service says why. Often the folder of backups is full or away.',
  }),
  'discord-disconnected': ({ detail = '' }, realm) => ({
    icon: 'discord',
    isFault: true,
    says: (
      <>
        The Discord app does not work: <Text value={detail} />
      </>
    ),
    advice: 'The steps of the view Discord show which one is undone.',
    to: addresses.discord(realm),
    link: 'Open Discord',
  }),
  'webhook-failing': ({ at, url, webhookId = '' }, realm) => ({
    icon: 'webhook',
    isFault: true,
    says: (
      <>
        Events do not arrive at <b>{url && <Text value={new URL(url).host} />}</b>. It began{' '}
        {at && <Time at={at} />}.
      </>
    ),
    advice: 'See what the receiver answered. What it missed is sent when it works again.',
    to: addresses.webhook(realm, webhookId),
    link: 'Open the webhook',
  }),
  'key-expiring': ({ at, name = '' }, realm) => {
    const isOver = at !== null && Date.parse(at) <= now.value;
    return {
      icon: 'key',
      isFault: isOver,
      says: (
        <>
          The key “<Text value={name} />” {isOver ? 'expired' : 'expires'} {at && <Time at={at} />}.
        </>
      ),
      advice: isOver
        ? 'Whatever uses it is refused: issue a new one. If nothing does, revoke it.'
        : 'Replace it, and give the new one to whatever uses it.',
      to: addresses.keys(realm),
      link: 'Open keys',
    };
  },
  'claims-waiting': ({ at, claims = 0 }, realm) => ({
    icon: 'claim',
    says: (
      <>
        <b>{claims < MOST ? plural(claims, 'claim') : `At least ${MOST} claims`}</b>{' '}
        {claims === 1 ? 'waits' : 'wait'} for delivery, since {at && <Time at={at} />}.
      </>
    ),
    advice: 'Hand out what members took, or reject it: their points go back then.',
    to: addresses.claims(realm),
    link: 'Open claims',
  }),
  'award-unusual': (item, realm) => ({
    icon: 'points',
    says: <UnusualAward item={item} />,
    advice: 'If it is a mistake, undo it from the member’s statement.',
    to: addresses.record(realm, item.transactionId ?? 0),
    link: 'Open the record',
  }),
};

function UnusualAward({ item }: { item: AttentionItem }) {
  const { kinds } = useRealm();
  const kind = kindOf(kinds, item.realmPointId ?? '');
  return (
    <>
      <Giver actor={item.actor ?? ''} onBehalfOf={item.onBehalfOf} /> gave{' '}
      <Counterparty id={item.memberId ?? ''} /> <b>{amountOf(item.tokens ?? 0, kind)}</b>{' '}
      {item.at && <Time at={item.at} />}, and usually gives at most{' '}
      {amountOf(item.usual ?? 0, kind)}.
    </>
  );
}

/** A person or a key by name; of a bot, for which member it was. */
function Giver({ actor, onBehalfOf = '' }: { actor: string; onBehalfOf?: string | undefined }) {
  const person = personIn(actor);
  const member = /^discord:(\d+)$/.exec(onBehalfOf)?.[1];
  const key = /^key:(\w+)/.exec(actor)?.[1];
  if (person) return <PersonName id={person} />;
  if (member) return <Counterparty id={member} />;
  if (key) return <KeyName id={key} />;
  return <>The {actor === 'cli' ? 'command line' : 'root key'}</>;
}
