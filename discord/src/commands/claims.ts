import type { Claim, Member, Offer } from '@realmkeep/client';
import { isAway, Refusal, Unanswered } from '../refusal.ts';
import { card, type Message } from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { cut, escaped, mention, visible } from '../text/names.ts';
import type { Use } from './command.ts';

/** The role at Discord that a claim of the offer grants. */
export const roleOf = ({ metadata }: Pick<Offer, 'metadata'>): string | undefined =>
  typeof metadata.discordRoleId === 'string' ? metadata.discordRoleId : undefined;

export const costsPoints = ({ costs }: Pick<Offer, 'costs'>): boolean =>
  Object.keys(costs).length > 0;

type Named = Pick<Offer, 'emoji' | 'name'>;

const IS_EMOJI = /^(\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*\d]\ufe0f?\u20e3)/u;

/** Names of emoji are for programs: only an emoji itself is shown. */
export const emojiOf = ({ emoji }: Named): string =>
  emoji !== null && IS_EMOJI.test(emoji) ? emoji : '';

/** An offer inside a message, and where no formats are shown. */
export const offerName = (offer: Named): string =>
  `${emojiOf(offer)} **${escaped(cut(offer.name, 100))}**`.trim();
export const plainOfferName = (offer: Named): string =>
  cut(`${emojiOf(offer)} ${visible(offer.name)}`.trim(), 80);

/** The offers that members may see and take now. */
export function* openOffers(): Steps<Offer[]> {
  const { items } = yield* ask('listOffers', {}, { status: 'open', limit: 500 });
  return items.filter(({ isListed }) => isListed);
}

export function* offerOf({ texts }: Use, id: unknown): Steps<Offer> {
  const offerID = String(id ?? '');
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(offerID)) throw new Refusal(texts.unknownOffer);
  return yield* ask('getOffer', { offerID }, {});
}

export interface Taking {
  member: Member;
  offer: Offer;
  quantity: number;
  /** The interaction that it is made by: its key. */
  intent: string;
}

/** The button that takes an offer, at the price that the member saw. */
export const buttonOf = ({ offer, quantity, intent }: Taking): string =>
  `buy:${intent}:${quantity}:${markOf(offer)}:${offer.id}`;

/** A mark of what an offer costs, short enough for a button. */
export function markOf({ costs }: Offer): string {
  const text = JSON.stringify(Object.entries(costs).toSorted());
  const hash = [...text].reduce((sum, one) => (Math.imul(sum, 31) + one.charCodeAt(0)) >>> 0, 0);
  return hash.toString(36);
}

export const costsOf = ({ offer, quantity }: Taking): Record<string, number> =>
  Object.fromEntries(Object.entries(offer.costs).map(([kind, each]) => [kind, each * quantity]));

export function* claim({ once }: Use, taking: Taking): Steps<Claim> {
  const { member, offer, quantity, intent } = taking;
  const fields = { memberId: member.id, quantity, expectedCosts: offer.costs };
  const own = { ...once, idempotencyKey: `discord:${intent}` };
  try {
    return yield* ask('claimOffer', { offerID: offer.id }, { ...fields, ...own });
  } catch (error) {
    throw isAway(error) ? new Unanswered(buttonOf(taking), error) : error;
  }
}

/** What everybody may read of a claim. */
export function claimMessage(
  { words, texts, person }: Use,
  { offer }: Taking,
  made: Claim,
): Message {
  const sentence = costsPoints(offer) ? texts.bought : texts.claimed;
  const what = sentence(mention(person.id), offerName(offer) + words.times(made.quantity));
  const [paid, gains] = [words.sum(made.cost), words.sum(made.gave)];
  const lines = [
    paid ? `${what} ${texts.paid(paid)}.` : `${what}.`,
    gains && texts.gets(gains),
    (made.streak ?? 0) > 1 && texts.streak(words.number(made.streak ?? 0)),
    made.status === 'pending' && texts.pendingNote,
    roleOf(offer) && texts.roleNote,
  ];
  return card(lines.filter(Boolean).join('\n'));
}
