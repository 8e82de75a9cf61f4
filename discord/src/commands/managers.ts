import type { Transaction } from '@realmkeep/client';
import { enrolled, findMember, membersById, nameOf, plainNameOf } from '../members.ts';
import type { Choice, Message } from '../reply.ts';
import { button, card, footer, row, toAll, toOne, update } from '../reply.ts';
import { ask, Refusal, type Steps } from '../steps.ts';
import { cut, escaped, mention, visible } from '../text/names.ts';
import { ago } from '../text/words.ts';
import type { Action, Command, Use } from './command.ts';
import { shownBy, withReason } from './command.ts';
import { matching, movementIn, movementOf, pickedOption, targetIn } from './inputs.ts';
import { movementLines } from './lists.ts';
import { offerName } from './offers.ts';
import { balanceLines } from './points.ts';

function* change(use: Use, sign: 1 | -1) {
  const { target, kindId, tokens, reason } = movementIn(use);
  const { id: memberID } = yield* enrolled(use, target);
  const fields = { tokens: sign * tokens, realmPointId: kindId, description: reason };
  const { newBalance } = yield* ask('changePoints', { memberID }, { ...fields, ...use.once });
  return { userId: target.id, amount: use.words.amount(tokens, kindId), newBalance, reason };
}

const award: Command = {
  name: 'award',
  description: 'Award points to a member',
  ...movementOf('Who gets them'),
  isForManagers: true,
  shownTo: 'all',
  *answer(use) {
    const { userId, amount, reason } = yield* change(use, 1);
    const sentence = use.texts.awarded(mention(userId), amount);
    return toAll({ content: withReason(sentence, reason), pings: [userId] });
  },
};

const take: Command = {
  name: 'take',
  description: 'Take points from a member',
  ...movementOf('Whose points'),
  isForManagers: true,
  shownTo: 'one',
  *answer(use) {
    const { userId, amount, newBalance, reason } = yield* change(use, -1);
    const left = use.words.number(newBalance);
    const sentence = use.texts.taken(mention(userId), amount, left);
    return toOne(card(withReason(sentence, reason)));
  },
};

const REVERSIBLE = ['points.added', 'points.subtracted', 'points.transferred', 'points.captured'];

const undo: Command = {
  name: 'undo',
  description: 'Undo one of the last movements of points',
  options: [pickedOption('movement', 'Which one; a name or a reason finds it', true)],
  isForManagers: true,
  shownTo: 'one',
  *complete(use) {
    const { items } = yield* ask('listTransactions', {}, { limit: 100 });
    const open = items.filter(
      (one) => REVERSIBLE.includes(one.type) && one.reversedTokens < Math.abs(one.tokens),
    );
    const say = yield* sayerOf(use, open, true);
    const choices = open.map((one): Choice => {
      const { transactionId, at, type, description } = one;
      const why = visible(description ?? use.texts.movements[type] ?? type);
      // What is said last may be cut.
      const name = cut([say(one), use.words.since(at, use.at), why].join(' · '), 100);
      return { name, value: String(transactionId) };
    });
    return matching(choices, use.options.movement);
  },
  *answer(use) {
    const { options, texts, once } = use;
    if (!/^[1-9]\d{0,14}$/.test(`${options.movement}`)) throw new Refusal(texts.unknownMovement);
    const transactionID = Number(options.movement);
    const one = yield* ask('getTransaction', { transactionID }, {});
    yield* ask('reverseTransaction', { transactionID }, { ...once });
    const say = yield* sayerOf(use, [one]);
    return toOne(card(withReason(texts.undone(say(one)), one.description)));
  },
};

/** How to say what moved, and whose it is. A gift has two sides, and no sign. */
function* sayerOf({ words }: Use, rows: readonly Transaction[], isPlain = false) {
  const ids = rows.flatMap((one) => [one.memberId, one.counterpartyId ?? one.memberId]);
  const members = yield* membersById(ids);
  const name = (id: string): string =>
    isPlain ? cut(visible(plainNameOf(id, members.get(id))), 24) : nameOf(id, members.get(id));
  return ({ memberId, counterpartyId: other, tokens, realmPointId }: Transaction): string => {
    const sign = other !== null ? '' : tokens < 0 ? '−' : '+';
    const amount = sign + words[isPlain ? 'plain' : 'amount'](Math.abs(tokens), realmPointId);
    const sides = other === null ? name(memberId) : `${name(memberId)} → ${name(other)}`;
    return `${isPlain ? amount : `**${amount}**`} · ${sides}`;
  };
}

/** Rows of buttons; a message has five. Who has waited longest is first. */
const SHOWN_CLAIMS = 5;

const pending: Command = {
  name: 'pending',
  description: 'Claims that wait to be delivered or rejected',
  isForManagers: true,
  ...shownBy(pendingMessage),
};

function* pendingMessage({ words, texts }: Use): Steps<Message> {
  const all = yield* ask('listClaims', {}, { status: 'pending', limit: 500 });
  const items = all.items.slice(-SHOWN_CLAIMS).reverse();
  const members = yield* membersById(items.map(({ memberId }) => memberId));
  const lines: string[] = [];
  for (const [index, { memberId, offerId, quantity, at }] of items.entries()) {
    const offer = yield* ask('getOffer', { offerID: offerId }, {});
    const what = offerName(offer) + words.times(quantity);
    lines.push(`${index + 1}. ${what} · ${nameOf(memberId, members.get(memberId))} · ${ago(at)}`);
  }
  const rows = items.map(({ claimId }, index) =>
    row(
      button(`${index + 1} · ${texts.deliver}`, `deliver:${claimId}`, 'success'),
      button(`${index + 1} · ${texts.reject}`, `reject:${claimId}`, 'danger'),
    ),
  );
  const more = all.items.length - items.length;
  const embed = {
    title: texts.toDeliver,
    ...footer(more && texts.morePending(words.number(more))),
  };
  return card(lines.join('\n') || texts.nothingPending, embed, rows);
}

const settle = (operation: 'deliverClaim' | 'rejectClaim'): Action => ({
  isForManagers: true,
  *answer(use, claimId = '') {
    yield* ask(operation, { claimID: Number(claimId) }, { ...use.once });
    return update(yield* pendingMessage(use));
  },
});

const pointsMenu: Command = {
  name: 'Points',
  isForManagers: true,
  ...shownBy(function* (use) {
    const target = targetIn(use);
    const title = use.texts.balanceOf(escaped(target.displayName));
    const member = yield* findMember(target.id);
    const shown = balanceLines(use, member, Object.keys(member?.balances ?? {}));
    if (!member) return card(shown, { title });
    const { items } = yield* ask('memberTransactions', { memberID: member.id }, { limit: 5 });
    const value = cut((yield* movementLines(use, items)).join('\n'), 1_024);
    const fields = value ? [{ name: use.texts.latest, value }] : [];
    return card(shown, { title, fields });
  }),
};

export const managerCommands: Command[] = [award, take, undo, pending, pointsMenu];
export const managerActions = { deliver: settle('deliverClaim'), reject: settle('rejectClaim') };
