import type { Claim, Member, Offer } from '@realmkeep/client';
import { enrolled } from '../members.ts';
import type { Choice, Message, Reply } from '../reply.ts';
import { button, card, footer, row, toOne, update } from '../reply.ts';
import { ask, Refusal, type Steps } from '../steps.ts';
import { cut, escaped, mention, visible } from '../text/names.ts';
import { ago } from '../text/words.ts';
import type { Action, Command, Use } from './command.ts';
import { asksFirst, countOption, matching, pickedOption } from './command.ts';

export const roleOf = ({ metadata }: Pick<Offer, 'metadata'>): string | undefined =>
  typeof metadata.discordRoleId === 'string' ? metadata.discordRoleId : undefined;

export const costsPoints = ({ costs }: Pick<Offer, 'costs'>): boolean =>
  Object.keys(costs).length > 0;

type Named = Pick<Offer, 'emoji' | 'name'>;

const IS_EMOJI = /^(\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*\d]\ufe0f?\u20e3)/u;

/** Names of emoji are for programs: only an emoji itself is shown. */
const emojiOf = ({ emoji }: Named): string => (emoji !== null && IS_EMOJI.test(emoji) ? emoji : '');

/** An offer inside a message, and where no formats are shown. */
export const offerName = (offer: Named): string =>
  `${emojiOf(offer)} **${escaped(cut(offer.name, 100))}**`.trim();
const plainOfferName = (offer: Named): string =>
  cut(`${emojiOf(offer)} ${visible(offer.name)}`.trim(), 80);

function* openOffers(): Steps<Offer[]> {
  const { items } = yield* ask('listOffers', {}, { status: 'open', limit: 500 });
  return items.filter(({ isListed }) => isListed);
}

function* offerOf({ texts }: Use, id: unknown): Steps<Offer> {
  const offerID = String(id ?? '');
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(offerID)) throw new Refusal(texts.unknownOffer);
  return yield* ask('getOffer', { offerID }, {});
}

interface Taking {
  member: Member;
  offer: Offer;
  quantity: number;
  /** The interaction that it is made by: its key. */
  intent: string;
}

/** The button that takes an offer, at the price that the member saw. It has 100 characters. */
const buttonOf = ({ offer, quantity, intent }: Taking): string =>
  `b:${intent}:${quantity.toString(36)}:${markOf(offer)}:${offer.id}`;

/** A mark of what an offer costs, short enough for a button. */
function markOf({ costs }: Offer): string {
  const text = JSON.stringify(Object.entries(costs).toSorted());
  const hash = [...text].reduce((sum, one) => (Math.imul(sum, 31) + one.charCodeAt(0)) >>> 0, 0);
  return hash.toString(36);
}

const costsOf = ({ offer, quantity }: Taking): Record<string, number> =>
  Object.fromEntries(Object.entries(offer.costs).map(([kind, each]) => [kind, each * quantity]));

function* claim({ once }: Use, taking: Taking): Steps<Claim> {
  const { member, offer, quantity, intent } = taking;
  const fields = { memberId: member.id, quantity, expectedCosts: offer.costs };
  const own = { ...once, idempotencyKey: `discord:${intent}` };
  return yield* ask('claimOffer', { offerID: offer.id }, { ...fields, ...own });
}

function claimMessage({ words, texts, person }: Use, { offer }: Taking, made: Claim): Message {
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

const daily: Command = {
  name: 'daily',
  description: 'Take your daily reward',
  shownTo: 'all',
  *answer(use) {
    const free = (yield* openOffers()).filter((offer) => !costsPoints(offer));
    const rewards = free.filter(({ perMember }) => perMember?.period === 'day');
    const offer = rewards.find(({ id }) => id === 'daily') ?? rewards[0];
    if (!offer) throw new Refusal(use.texts.noDaily);
    return yield* take(use, offer, 1);
  },
};

const claimOffer: Command = {
  name: 'claim',
  description: 'Claim something that costs nothing, such as the reward of a quest',
  options: [pickedOption('offer', 'What to claim', true)],
  shownTo: 'all',
  complete: (use) => completeOffers(use, (offer) => !costsPoints(offer)),
  *answer(use) {
    const offer = yield* offerOf(use, use.options.offer);
    if (costsPoints(offer)) throw new Refusal(use.texts.notFree);
    return yield* take(use, offer, 1);
  },
};

const buy: Command = {
  name: 'buy',
  description: 'Buy something from the shop',
  options: [
    pickedOption('offer', 'What to buy', true),
    countOption('quantity', 'How many; 1 by default', false, 1_000_000),
  ],
  shownTo: 'all',
  complete: (use) => completeOffers(use, costsPoints),
  *answer(use) {
    const offer = yield* offerOf(use, use.options.offer);
    return yield* take(use, offer, Number(use.options.quantity ?? 1));
  },
};

function* completeOffers(use: Use, isWanted: (offer: Offer) => boolean): Steps<Choice[]> {
  const choices = (yield* openOffers()).filter(isWanted).map((offer) => ({
    name: `${plainOfferName(offer)} · ${cut(priceOf(use, offer), 15)}`,
    value: offer.id,
  }));
  return matching(choices, use.options.offer);
}

const priceOf = ({ words, texts }: Use, { costs }: Offer): string =>
  words.plainSum(costs) || texts.free;

/** Takes an offer, or asks first. One that is not listed is between the member and the app. */
function* take(use: Use, offer: Offer, quantity: number): Steps<Reply> {
  const taking = { member: yield* enrolled(use), offer, quantity, intent: use.id };
  const { available } = taking.member;
  const isMuch = Object.entries(costsOf(taking)).some(([kind, cost]) =>
    asksFirst(cost, available[kind] ?? 0),
  );
  if (isMuch) return toOne(confirmation(use, taking));
  const message = claimMessage(use, taking, yield* claim(use, taking));
  return { to: offer.isListed ? 'all' : 'one', message };
}

function confirmation({ words, texts }: Use, taking: Taking): Message {
  const { member, offer, quantity } = taking;
  const costs = costsOf(taking);
  const left = Object.entries(costs).map(([kind, cost]): [string, number] => [
    kind,
    Number(member.available[kind] ?? 0) - cost,
  ]);
  const name = offerName(offer) + words.times(quantity);
  const question = texts.askBuy(name, words.sum(costs), words.sum(Object.fromEntries(left)));
  const confirm = button(texts.buy, buttonOf(taking), 'success');
  return card(question, {}, [row(confirm, button(texts.cancel, 'cancel'))]);
}

/** Under the key of the command that asked. */
const confirmBuy: Action = {
  *answer(use, intent = '', quantity = '', mark = '', offerId = '') {
    const { words, texts } = use;
    const offer = yield* offerOf(use, offerId);
    if (markOf(offer) !== mark) {
      throw new Refusal(texts.priceChanged(words.sum(offer.costs) || texts.free));
    }
    const count = Number.parseInt(quantity, 36);
    const taking = { member: yield* enrolled(use), offer, quantity: count, intent };
    const made = yield* claim(use, taking);
    const message = claimMessage(use, taking, made);
    if (!offer.isListed) return update(message);
    const what = offerName(offer) + words.times(made.quantity);
    const bought = texts.youBought(what, words.sum(made.cost) || texts.free);
    return { ...update(card(bought)), followUp: { intent, message } };
  },
};

const SHOWN_OFFERS = 25;

const shop: Command = {
  name: 'shop',
  description: 'What you can get for your points',
  shownTo: 'one',
  *answer(use) {
    const { words, texts } = use;
    const { available } = yield* enrolled(use);
    const offers = (yield* openOffers()).filter(costsPoints).slice(0, SHOWN_OFFERS);
    if (offers.length === 0) return toOne(card(texts.emptyShop, { title: texts.shop }));
    const isShort = offers.length <= 10;
    const lines = offers.map((offer) => {
      const { costs, stockLeft, description } = offer;
      const left = stockLeft === null ? '' : ` · ${texts.left(words.number(stockLeft))}`;
      const about = description && isShort ? `\n-# ${escaped(cut(description, 90))}` : '';
      return `${offerName(offer)} · ${words.sum(costs)}${left}${about}`;
    });
    const used = new Set(offers.flatMap(({ costs }) => Object.keys(costs)));
    const purse = Object.entries(available).filter(([kind]) => used.has(kind));
    const have = texts.youHave(words.plainSum(Object.fromEntries(purse)));
    const embed = { title: texts.shop, ...footer(have) };
    return toOne(card(lines.join('\n'), embed));
  },
};

const SHOWN_CLAIMS = 15;

const inventory: Command = {
  name: 'inventory',
  description: 'What you have bought, and what is on its way',
  shownTo: 'one',
  *answer(use) {
    const { words, texts } = use;
    const { id } = yield* enrolled(use);
    const { items } = yield* ask('memberClaims', { memberID: id }, { limit: 500 });
    const kept = items.filter(
      ({ cost, status }) => Object.keys(cost).length > 0 || status === 'pending',
    );
    const offers = yield* ask('listOffers', {}, { limit: 500 });
    const byId = new Map(offers.items.map((offer) => [offer.id, offer]));
    const lines = kept.slice(0, SHOWN_CLAIMS).map(({ offerId, quantity, status, at }) => {
      const name = offerName(byId.get(offerId) ?? { emoji: null, name: offerId });
      return `${name}${words.times(quantity)} · ${texts.statuses[status]} · ${ago(at)}`;
    });
    return toOne(card(lines.join('\n') || texts.emptyInventory, { title: texts.inventory }));
  },
};

export const offerCommands: Command[] = [daily, claimOffer, shop, buy, inventory];
export const offerActions = { b: confirmBuy };
