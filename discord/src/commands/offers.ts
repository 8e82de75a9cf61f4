import type { Claim, Member, Offer } from '@realmkeep/client';
import type { APIButtonComponent as Button } from 'discord-api-types/v10';
import { enrolled } from '../members.ts';
import type { Choice, Message, Reply } from '../reply.ts';
import { button, card, footer, row, toOne, update } from '../reply.ts';
import { ask, Refusal, type Steps } from '../steps.ts';
import { cut, escaped, mention, visible } from '../text/names.ts';
import { ago } from '../text/words.ts';
import type { Action, Command, Use } from './command.ts';
import { asksFirst, shownBy } from './command.ts';
import { countOption, matching, pickedOption } from './inputs.ts';

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
  const price = ({ costs }: Offer): number => Object.values(costs)[0] ?? 0;
  return items.filter(({ isListed }) => isListed).toSorted((a, b) => price(a) - price(b));
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
    roleOf(offer) ? texts.roleNote : made.status === 'pending' && texts.pending(paid !== ''),
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
    { ...countOption('quantity', 'How many; 1 by default', false), max_value: 1_000_000 },
  ],
  shownTo: 'all',
  complete: (use) => completeOffers(use, costsPoints),
  *answer(use) {
    const offer = yield* offerOf(use, use.options.offer);
    return yield* take(use, offer, Number(use.options.quantity ?? 1));
  },
};

function* completeOffers(use: Use, isWanted: (offer: Offer) => boolean): Steps<Choice[]> {
  const choices = (yield* openOffers()).filter(isWanted);
  return matching(choices.map(choiceIn(use)), use.options.offer);
}

const choiceIn =
  ({ words, texts }: Use) =>
  (offer: Offer): Choice => {
    const price = cut(words.plainSum(offer.costs) || texts.free, 40);
    return { name: `${cut(plainOfferName(offer), 97 - price.length)} · ${price}`, value: offer.id };
  };

/** Or asks first: always in the shop, where a slip picks. What is not listed stays private. */
function* take(use: Use, offer: Offer, quantity: number, isInShop = false): Steps<Reply> {
  const taking = { member: yield* enrolled(use), offer, quantity, intent: use.id };
  const costs = Object.entries(costsOf(taking)).map(
    ([kind, cost]) => [cost, taking.member.available[kind] ?? 0] as const,
  );
  if (isInShop && costs.every(([cost, available]) => cost <= available))
    return update(confirmation(use, taking, button(use.texts.back, 'shop')));
  if (costs.some(([cost, available]) => asksFirst(cost, available)))
    return toOne(confirmation(use, taking, button(use.texts.cancel, 'cancel')));
  const message = claimMessage(use, taking, yield* claim(use, taking));
  return { to: offer.isListed ? 'all' : 'one', message };
}

function confirmation({ words, texts }: Use, taking: Taking, back: Button): Message {
  const { member, offer, quantity } = taking;
  const costs = costsOf(taking);
  const left = { ...costs };
  for (const kind in left) left[kind] = Number(member.available[kind] ?? 0) - (costs[kind] ?? 0);
  const name = offerName(offer) + words.times(quantity);
  const question = texts.askBuy(name, words.sum(costs), words.sum(left));
  const confirm = button(texts.buy, buttonOf(taking), 'success');
  return card(question, {}, [row(confirm, back)]);
}

/** Under the key of the command that asked. */
const confirmBuy: Action = {
  *answer(use, intent = '', quantity = '', mark = '', offerId = '') {
    const { words, texts } = use;
    const offer = yield* offerOf(use, offerId);
    const price = words.sum(offer.costs) || texts.free;
    if (markOf(offer) !== mark) throw new Refusal(texts.priceChanged(price));
    const count = Number.parseInt(quantity, 36);
    const taking = { member: yield* enrolled(use), offer, quantity: count, intent };
    const made = yield* claim(use, taking);
    const message = claimMessage(use, taking, made);
    if (!offer.isListed) return update(message);
    const what = offerName(offer) + words.times(made.quantity);
    const bought = texts.youBought(what, words.sum(made.cost) || texts.free);
    const back = row(button(texts.back, 'shop'));
    return { ...update(card(bought, {}, [back])), followUp: { intent, message } };
  },
};

const shop: Command = {
  name: 'shop',
  description: 'What you can get for your points',
  ...shownBy(shopMessage),
};

function* shopMessage(use: Use): Steps<Message> {
  const { words, texts } = use;
  const { available } = yield* enrolled(use);
  const all = (yield* openOffers()).filter(costsPoints);
  // As many as a list to pick from can have.
  const offers = all.slice(0, 25);
  if (offers.length === 0) return card(texts.emptyShop, { title: texts.shop });
  const isShort = offers.length <= 10;
  const lines = offers.map((offer) => {
    const { costs, stockLeft, description } = offer;
    const left = stockLeft === null ? '' : ` · ${texts.left(words.number(stockLeft))}`;
    const about = description && isShort ? `\n-# ${escaped(cut(description, 90))}` : '';
    return `${offerName(offer)} · ${words.sum(costs)}${left}${about}`;
  });
  if (all.length > offers.length) lines.push(`-# ${texts.moreOffers}`);
  const used = new Set(offers.flatMap(({ costs }) => Object.keys(costs)));
  const purse = Object.entries(available).filter(([kind]) => used.has(kind));
  const have = texts.youHave(words.plainSum(Object.fromEntries(purse)));
  const options = offers.map(choiceIn(use)).map(({ name: label, value }) => ({ label, value }));
  const list = { type: 3, custom_id: 'pick', placeholder: texts.pick, options } as const;
  return card(lines.join('\n'), { title: texts.shop, ...footer(have) }, [row(list)]);
}

const pickOffer: Action = {
  *answer(use, offerId = '') {
    const offer = yield* offerOf(use, offerId);
    if (!costsPoints(offer)) throw new Refusal(use.texts.outdated);
    return yield* take(use, offer, 1, true);
  },
};

const inventory: Command = {
  name: 'inventory',
  description: 'What you have bought, and what is on its way',
  ...shownBy(function* (use) {
    const { words, texts } = use;
    const { id } = yield* enrolled(use);
    const { items } = yield* ask('memberClaims', { memberID: id }, { limit: 500 });
    const kept = items.filter((one) => one.status === 'pending' || words.sum(one.cost));
    const offers = yield* ask('listOffers', {}, { limit: 500 });
    const byId = new Map(offers.items.map((offer) => [offer.id, offer]));
    const lines = kept.slice(0, 15).map(({ offerId, quantity, status, at }) => {
      const name = offerName(byId.get(offerId) ?? { emoji: null, name: offerId });
      return `${name}${words.times(quantity)} · ${texts.statuses[status]} · ${ago(at)}`;
    });
    return card(lines.join('\n') || texts.emptyInventory, { title: texts.inventory });
  }),
};

export const offerCommands: Command[] = [daily, claimOffer, shop, buy, inventory];
export const offerActions = { b: confirmBuy, pick: pickOffer, shop };
