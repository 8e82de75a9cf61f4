import type { EventType, Offer, RealmEvent } from '@realmkeep/client';
import { costsPoints, offerName } from './commands/claims.ts';
import { allKinds, card } from './commands/command.ts';
import { membersById, nameOf } from './members.ts';
import type { Message } from './reply.ts';
import { ask, type Steps } from './steps.ts';
import { number } from './text/amounts.ts';
import { cut, escaped } from './text/names.ts';
import { textsFor } from './text/texts.ts';

/** The events that a server hears of. */
export const ANNOUNCED = ['points.transferred', 'offer.created', 'offer.drawn'] as const;

/** A gift that is worth telling. */
const BIG_GIFT = 1_000;
const SHOWN_WINNERS = 20;

/** Announcements are for everybody: they have the language of nobody in particular. */
const LOCALE = 'en-US';
const texts = textsFor(LOCALE);

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

interface Gift {
  memberId: string;
  recipientId: string;
  tokens: number;
  realmPointId: string;
  description?: string;
}

function* bigGift({ memberId, recipientId, tokens, realmPointId, description }: Gift) {
  const kinds = yield* allKinds();
  const members = yield* membersById([memberId, recipientId]);
  const name = (id: string): string => nameOf(id, members.get(id));
  const amount = kinds.amount(tokens, realmPointId, LOCALE);
  const sentence = texts.bigGift(name(memberId), amount, name(recipientId));
  const lines = [sentence, ...(description ? [`> ${escaped(cut(description, 200))}`] : [])];
  return { embeds: [card({ description: lines.join('\n') })] };
}

function* newOffer(offer: Pick<Offer, 'name' | 'emoji' | 'description' | 'costs' | 'gives'>) {
  const kinds = yield* allKinds();
  const [gains, costs] = [offer.gives, offer.costs].map((all) => kinds.amounts(all, LOCALE));
  const command = costsPoints(offer) ? '/shop' : '/claim';
  const first = [texts.newOffer(offerName(offer)), costs, gains && texts.gets(gains)];
  const lines = [
    first.filter(Boolean).join(' · '),
    ...(offer.description ? [escaped(cut(offer.description, 300))] : []),
    `-# ${texts.howToGet(command)}`,
  ];
  return { embeds: [card({ description: lines.join('\n') })] };
}

interface Draw {
  offerId: string;
  winners: { memberId: string }[];
  tickets: number;
  seed: string;
}

function* draw({ offerId, winners, tickets, seed }: Draw): Steps<Message> {
  const offer = yield* ask('getOffer', { offerID: offerId }, {});
  const ids = winners.slice(0, SHOWN_WINNERS).map(({ memberId }) => memberId);
  const members = yield* membersById(ids);
  const names = ids.map((id) => nameOf(id, members.get(id)));
  if (winners.length > ids.length) names.push('…');
  const won = names.length > 0 ? texts.winners(names.join(', '), winners.length) : texts.noWinners;
  return {
    embeds: [
      card({
        title: texts.drawn(visibleName(offer)),
        description: won,
        footer: { text: texts.drawProof(number(tickets, LOCALE), cut(seed, 100)) },
      }),
    ],
  };
}

/** A title is bold by itself. */
const visibleName = (offer: Offer): string => offerName(offer).replaceAll('**', '');
