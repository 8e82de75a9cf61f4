import type { Claim, Member, Offer } from '@realmkeep/client';
import type { Asked } from '../asked.ts';
import { enrolled } from '../members.ts';
import { Refusal } from '../refusal.ts';
import { type Choice, type Message, type Reply, type Row, toOne, update } from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { type Kinds, number, timestamp } from '../text/amounts.ts';
import { cut, escaped, visible } from '../text/names.ts';
import type { Texts } from '../text/texts.ts';
import {
  claim,
  claimMessage,
  costsPoints,
  emojiOf,
  markOf,
  offerName,
  offerOf,
  openOffers,
  plainOfferName,
  type Taking,
} from './claims.ts';
import {
  type Action,
  allKinds,
  asksFirst,
  button,
  type Command,
  card,
  matching,
  pickedOption,
  row,
} from './command.ts';

const daily: Command = {
  name: 'daily',
  description: 'Take your daily reward',
  shownTo: 'all',
  *answer(asked, texts) {
    const free = (yield* openOffers()).filter((offer) => !costsPoints(offer));
    const rewards = free.filter(({ perMember }) => perMember?.period === 'day');
    const offer = rewards.find(({ id }) => id === 'daily') ?? rewards[0];
    if (!offer) throw new Refusal(texts.noDaily);
    return yield* taken(asked, texts, offer, 1);
  },
};

const claimOffer: Command = {
  name: 'claim',
  description: 'Claim something that costs nothing, such as the reward of a quest',
  options: [pickedOption('offer', 'What to claim', true)],
  shownTo: 'all',
  complete: (asked, texts) => completeOffers(asked, texts, (offer) => !costsPoints(offer)),
  *answer(asked, texts) {
    return yield* taken(asked, texts, yield* offerOf(asked.options.offer, texts), 1);
  },
};

const buy: Command = {
  name: 'buy',
  description: 'Buy something from the shop',
  options: [
    pickedOption('offer', 'What to buy', true),
    {
      type: 4,
      name: 'quantity',
      description: 'How many; 1 by default',
      min_value: 1,
      max_value: 1_000_000,
    },
  ],
  shownTo: 'all',
  complete: (asked, texts) => completeOffers(asked, texts, costsPoints),
  *answer(asked, texts) {
    const offer = yield* offerOf(asked.options.offer, texts);
    return yield* taken(asked, texts, offer, Number(asked.options.quantity ?? 1));
  },
};

function* completeOffers(
  { options, locale }: Asked,
  texts: Texts,
  isWanted: (offer: Offer) => boolean,
): Steps<Choice[]> {
  const kinds = yield* allKinds();
  const offers = (yield* openOffers()).filter(isWanted);
  const choices = offers.map((offer) => ({
    name: `${plainOfferName(offer)} · ${cut(priceOf(offer, kinds, locale, texts), 15)}`,
    value: offer.id,
  }));
  return matching(choices, options.offer);
}

/** Without formats, for lists. */
const priceOf = ({ costs }: Offer, kinds: Kinds, locale: string, texts: Texts): string =>
  kinds.amounts(costs, locale).replaceAll('\\', '') || texts.free;

/** Takes an offer, or asks first. Those that are not listed are between the member and the app. */
function* taken(asked: Asked, texts: Texts, offer: Offer, quantity: number): Steps<Reply> {
  const member = yield* enrolled(asked.person, asked.once, texts);
  const taking = { asked, texts, member, offer, quantity, once: asked.once };
  const kinds = yield* allKinds();
  if (isMuch(taking)) return toOne(confirmation(taking, kinds));
  const message = claimMessage(taking, yield* claim(taking), kinds);
  return { to: offer.isListed ? 'all' : 'one', message };
}

/** Whether it takes much of what the member has; what is too much, the service refuses. */
const isMuch = ({ offer, quantity, member }: Taking): boolean => {
  const costs = Object.entries(offer.costs).map(([kind, each]) => ({
    cost: each * quantity,
    available: member.available[kind] ?? 0,
  }));
  return (
    costs.every(({ cost, available }) => cost <= available) &&
    costs.some(({ cost, available }) => asksFirst(cost, available))
  );
};

function confirmation({ asked, texts, member, offer, quantity }: Taking, kinds: Kinds): Message {
  const { locale } = asked;
  const times = quantity > 1 ? ` ×${number(quantity, locale)}` : '';
  const left = Object.entries(offer.costs).map(([kind, each]): [string, number] => [
    kind,
    Number(member.available[kind] ?? 0) - each * quantity,
  ]);
  const description = texts.askBuy(
    offerName(offer) + times,
    kinds.amounts(offer.costs, locale, quantity),
    kinds.amounts(Object.fromEntries(left), locale),
  );
  const confirm = `buy:${asked.id}:${quantity}:${markOf(offer)}:${offer.id}`;
  return {
    embeds: [card({ description })],
    components: [row(button(texts.buy, confirm, 'success'), button(texts.cancel, 'cancel'))],
  };
}

/** Under the key of the command that asked, at the price that the member saw. */
const confirmBuy: Action = {
  *answer(asked, texts, intent = '', quantity = '', mark = '', offerId = '') {
    const offer = yield* offerOf(offerId, texts);
    const kinds = yield* allKinds();
    if (markOf(offer) !== mark) {
      throw new Refusal(texts.priceChanged(kinds.amounts(offer.costs, asked.locale) || texts.free));
    }
    const member = yield* enrolled(asked.person, asked.once, texts);
    const once = { ...asked.once, idempotencyKey: `discord:${intent}` };
    const taking = { asked, texts, member, offer, quantity: Number(quantity), once };
    const claimed = yield* claim(taking);
    const message = claimMessage(taking, claimed, kinds);
    if (!offer.isListed) return update(message);
    const costs = kinds.amounts(claimed.cost, asked.locale) || texts.free;
    const description = texts.youBought(offerName(offer), costs);
    return { ...update({ embeds: [card({ description })] }), followUp: { intent, message } };
  },
};

const SHOWN_OFFERS = 25;

const shop: Command = {
  name: 'shop',
  description: 'What you can get for your points',
  shownTo: 'one',
  *answer(asked, texts) {
    const member = yield* enrolled(asked.person, asked.once, texts);
    const kinds = yield* allKinds();
    const offers = (yield* openOffers()).filter(costsPoints).slice(0, SHOWN_OFFERS);
    return toOne(shopMessage(asked, texts, { member, kinds, offers }));
  },
};

function shopMessage(
  { locale }: Asked,
  texts: Texts,
  { member, kinds, offers }: { member: Member; kinds: Kinds; offers: Offer[] },
): Message {
  if (offers.length === 0)
    return { embeds: [card({ title: texts.shop, description: texts.emptyShop })] };
  const used = new Set(offers.flatMap(({ costs }) => Object.keys(costs)));
  const available = Object.entries(member.available).filter(([kind]) => used.has(kind));
  const purse = Object.fromEntries(available.map(([kind, sum]) => [kind, Number(sum)]));
  const lines = offers.map((offer) => {
    const left =
      offer.stockLeft === null ? '' : ` · ${texts.left(number(offer.stockLeft, locale))}`;
    const line = `${offerName(offer)} · ${kinds.amounts(offer.costs, locale)}${left}`;
    const about =
      offer.description && offers.length <= 10 ? escaped(cut(offer.description, 90)) : '';
    return about ? `${line}\n-# ${about}` : line;
  });
  return {
    embeds: [
      card({
        title: texts.shop,
        description: lines.join('\n'),
        footer: { text: texts.youHave(kinds.amounts(purse, locale).replaceAll('\\', '')) },
      }),
    ],
    components: [picker(offers, kinds, locale, texts)],
  };
}

const picker = (offers: Offer[], kinds: Kinds, locale: string, texts: Texts): Row => ({
  type: 1,
  components: [
    {
      type: 3,
      custom_id: 'pick',
      placeholder: texts.pickOffer,
      options: offers.map((offer) => ({
        label: cut(visible(offer.name) || offer.id, 100),
        value: offer.id,
        description: cut(priceOf(offer, kinds, locale, texts), 100),
        ...(emojiOf(offer) && { emoji: { name: emojiOf(offer) ?? '' } }),
      })),
    },
  ],
});

/** Picked from a list by a finger: always asks. */
const pick: Action = {
  *answer(asked, texts) {
    const offer = yield* offerOf(asked.values[0], texts);
    const member = yield* enrolled(asked.person, asked.once, texts);
    const taking = { asked, texts, member, offer, quantity: 1, once: asked.once };
    return toOne(confirmation(taking, yield* allKinds()));
  },
};

const SHOWN_CLAIMS = 15;

const inventory: Command = {
  name: 'inventory',
  description: 'What you have bought, and what is on its way',
  shownTo: 'one',
  *answer(asked, texts) {
    const member = yield* enrolled(asked.person, asked.once, texts);
    const { items } = yield* ask('memberClaims', { memberID: member.id }, { limit: 500 });
    const kept = items.filter(
      ({ cost, status }) => Object.keys(cost).length > 0 || status === 'pending',
    );
    const offers = yield* ask('listOffers', {}, { limit: 500 });
    const byId = new Map(offers.items.map((offer) => [offer.id, offer]));
    const lines = kept
      .slice(0, SHOWN_CLAIMS)
      .map((one) => claimLine(one, byId.get(one.offerId), asked, texts));
    const description = lines.join('\n') || texts.emptyInventory;
    return toOne({ embeds: [card({ title: texts.inventory, description })] });
  },
};

function claimLine(one: Claim, offer: Offer | undefined, { locale }: Asked, texts: Texts): string {
  const name = offer ? offerName(offer) : `**${escaped(one.offerId)}**`;
  const times = one.quantity > 1 ? ` ×${number(one.quantity, locale)}` : '';
  return `${name}${times} · ${texts.statuses[one.status]} · ${timestamp(one.at, 'R')}`;
}

export const offerCommands: Command[] = [daily, claimOffer, shop, buy, inventory];
export const offerActions = { buy: confirmBuy, pick };
