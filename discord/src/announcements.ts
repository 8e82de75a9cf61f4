import type { EventType, RealmEvent } from '@realmkeep/client';
import { withReason } from './commands/command.ts';
import { costsPoints, offerName } from './commands/offers.ts';
import { membersById, nameOf } from './members.ts';
import { card, footer, type Message } from './reply.ts';
import { ask, type Steps } from './steps.ts';
import { cut, escaped } from './text/names.ts';
import { textsFor } from './text/texts.ts';
import { ago, Words } from './text/words.ts';

export const ANNOUNCED = ['points.transferred', 'offer.created', 'offer.drawn'] as const;

const BIG_GIFT = 1_000;
const SHOWN_WINNERS = 20;

/** Announcements are for everybody: they have the language of nobody in particular. */
const LOCALE = 'en-US';
const texts = textsFor(LOCALE);

function* currentWords(): Steps<Words> {
  return new Words((yield* ask('listKinds', {}, {})).items, LOCALE);
}

/** What a server's channel is told of an event; null for nothing. */
export function* announcementOf(event: RealmEvent<EventType>): Steps<Message | null> {
  switch (event.type) {
    case 'points.transferred':
      return event.data.tokens >= BIG_GIFT ? yield* bigGift(event.data) : null;
    case 'offer.created':
      return event.data.isListed && !event.data.archived ? yield* newOffer(event.data) : null;
    case 'offer.drawn':
      return yield* draw(event.data);
    default:
      return null;
  }
}

type DataOf<T extends EventType> = RealmEvent<T>['data'];

function* bigGift(gift: DataOf<'points.transferred'>): Steps<Message> {
  const { memberId, recipientId, tokens, realmPointId, description } = gift;
  const words = yield* currentWords();
  const members = yield* membersById([memberId, recipientId]);
  const [giver, recipient] = [memberId, recipientId].map((id) => nameOf(id, members.get(id)));
  const amount = words.amount(tokens, realmPointId);
  const sentence = texts.bigGift(giver ?? '', amount, recipient ?? '');
  return card(withReason(sentence, description && cut(description, 200)));
}

function* newOffer(offer: DataOf<'offer.created'>): Steps<Message> {
  const words = yield* currentWords();
  const { stock, closesAt } = offer;
  const [gains, costs] = [words.sum(offer.gives), words.sum(offer.costs)];
  const first = [texts.newOffer(offerName(offer)), costs, gains && texts.gets(gains)];
  if (stock !== null) first.push(texts.left(words.number(stock)));
  if (closesAt !== null) first.push(texts.until(ago(closesAt)));
  const lines = [
    first.filter(Boolean).join(' · '),
    offer.description && escaped(cut(offer.description, 300)),
    `-# ${texts.howToGet(costsPoints(offer) ? '/shop' : '/claim')}`,
  ];
  return card(lines.filter(Boolean).join('\n'));
}

function* draw({ offerId, winners, tickets, seed }: DataOf<'offer.drawn'>): Steps<Message> {
  const { name } = yield* ask('getOffer', { offerID: offerId }, {});
  const ids = winners.slice(0, SHOWN_WINNERS).map(({ memberId }) => memberId);
  const members = yield* membersById(ids);
  const names = ids.map((id) => nameOf(id, members.get(id)));
  if (winners.length > ids.length) names.push('…');
  const won = names.length > 0 ? texts.winners(names.join(', '), winners.length) : texts.noWinners;
  const proof = texts.drawProof(tickets, cut(seed, 100));
  return card(won, { title: texts.drawn(escaped(cut(name, 100))), ...footer(proof) });
}
