import type { Claim, Member, Offer } from '@realmkeep/client';
import type { Asked } from '../asked.ts';
import { isAway, Refusal, Unanswered } from '../refusal.ts';
import type { Message } from '../reply.ts';
import { ask, type Once, type Steps } from '../steps.ts';
import { type Kinds, number } from '../text/amounts.ts';
import { cut, escaped, mention, visible } from '../text/names.ts';
import type { Texts } from '../text/texts.ts';
import { card } from './command.ts';

/** What commands know of an offer's role at Discord. */
export const roleOf = ({ metadata }: Pick<Offer, 'metadata'>): string | undefined =>
  typeof metadata.discordRoleId === 'string' ? metadata.discordRoleId : undefined;

export const costsPoints = ({ costs }: Pick<Offer, 'costs'>): boolean =>
  Object.keys(costs).length > 0;

/** Names of emoji are for programs: only an emoji itself is shown. */
const IS_EMOJI = /^(\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*\d]\ufe0f?\u20e3)/u;

export const emojiOf = ({ emoji }: Pick<Offer, 'emoji'>): string | undefined =>
  emoji !== null && IS_EMOJI.test(emoji) ? emoji : undefined;

type Named = Pick<Offer, 'emoji' | 'name'>;

/** An offer inside a message, and where no formats are shown. */
export const offerName = (offer: Named): string =>
  [emojiOf(offer), `**${escaped(cut(offer.name, 100))}**`].filter(Boolean).join(' ');

export const plainOfferName = (offer: Named): string =>
  cut([emojiOf(offer), visible(offer.name)].filter(Boolean).join(' '), 80);

/** The offers that members may see and take now. */
export function* openOffers(): Steps<Offer[]> {
  const { items } = yield* ask('listOffers', {}, { status: 'open', limit: 500 });
  return items.filter(({ isListed }) => isListed);
}

export function* offerOf(id: unknown, texts: Texts): Steps<Offer> {
  const offerID = String(id ?? '');
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(offerID)) throw new Refusal(texts.unknownOffer);
  return yield* ask('getOffer', { offerID }, {});
}

export interface Taking {
  asked: Asked;
  texts: Texts;
  member: Member;
  offer: Offer;
  quantity: number;
  once: Once;
}

export function* claim({ member, offer, quantity, once }: Taking): Steps<Claim> {
  const fields = { memberId: member.id, quantity, expectedCosts: offer.costs, ...once };
  try {
    return yield* ask('claimOffer', { offerID: offer.id }, fields);
  } catch (error) {
    if (!isAway(error)) throw error;
    const intent = once.idempotencyKey.replace('discord:', '');
    throw new Unanswered(`buy:${intent}:${quantity}:${markOf(offer)}:${offer.id}`, error);
  }
}

/** A mark of what an offer costs, short enough for a button. */
export function markOf({ costs }: Offer): string {
  const text = JSON.stringify(Object.entries(costs).toSorted());
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0;
  }
  return hash.toString(36);
}

/** What everybody may read of a claim. */
export function claimMessage(
  { asked, texts, offer, quantity }: Taking,
  claimed: Claim,
  kinds: Kinds,
): Message {
  const { locale, person } = asked;
  const times = quantity > 1 ? ` ×${number(quantity, locale)}` : '';
  const sentence = costsPoints(offer) ? texts.bought : texts.claimed;
  const paid = kinds.amounts(claimed.cost, locale);
  const first = sentence(mention(person.id), offerName(offer) + times);
  const gains = kinds.amounts(claimed.gave, locale);
  const lines = [
    paid ? `${first} ${texts.paid(paid)}.` : `${first}.`,
    gains && texts.gets(gains),
    (claimed.streak ?? 0) > 1 && texts.streak(number(claimed.streak ?? 0, locale)),
    claimed.status === 'pending' && texts.pendingNote,
    roleOf(offer) && texts.roleNote,
  ];
  return { embeds: [card({ description: lines.filter(Boolean).join('\n') })] };
}
