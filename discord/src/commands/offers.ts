import type { Offer } from '@realmkeep/client';
import { enrolled } from '../members.ts';
import { Refusal } from '../refusal.ts';
import {
  button,
  type Choice,
  card,
  footer,
  type Message,
  type Reply,
  type Row,
  row,
  toOne,
  update,
} from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { cut, escaped, visible } from '../text/names.ts';
import { ago } from '../text/words.ts';
import {
  buttonOf,
  claim,
  claimMessage,
  costsOf,
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
  asksFirst,
  type Command,
  countOption,
  matching,
  pickedOption,
  type Use,
} from './command.ts';

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
    return yield* take(use, yield* offerOf(use, use.options.offer), 1);
  },
};

const buy: Command = {
  name: 'buy',
  description: 'Buy something from the shop',
  options: [
    pickedOption('offer', 'What to buy', true),
    countOption('quantity', 'How many; 1 by default', false),
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

/** Without formats, for lists. */
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
    const taking = { member: yield* enrolled(use), offer, quantity: Number(quantity), intent };
    const made = yield* claim(use, taking);
    const message = claimMessage(use, taking, made);
    if (!offer.isListed) return update(message);
    const bought = texts.youBought(offerName(offer), words.sum(made.cost) || texts.free);
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
    return toOne(card(lines.join('\n'), embed, [picker(use, offers)]));
  },
};

const picker = (use: Use, offers: Offer[]): Row =>
  row({
    type: 3,
    custom_id: 'pick',
    placeholder: use.texts.pickOffer,
    options: offers.map((offer) => ({
      label: cut(visible(offer.name) || offer.id, 100),
      value: offer.id,
      description: cut(priceOf(use, offer), 100),
      ...(emojiOf(offer) && { emoji: { name: emojiOf(offer) } }),
    })),
  });

/** Picked from a list by a finger: always asks. */
const pick: Action = {
  *answer(use) {
    const offer = yield* offerOf(use, use.values[0]);
    const taking = { member: yield* enrolled(use), offer, quantity: 1, intent: use.id };
    return toOne(confirmation(use, taking));
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
export const offerActions = { buy: confirmBuy, pick };
