import type { Transaction } from '@realmkeep/client';
import { enrolled, findMember, membersById, nameOf, plainNameOf } from '../members.ts';
import { Refusal } from '../refusal.ts';
import { button, type Choice, card, type Message, row, toAll, toOne, update } from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { cut, escaped, mention, visible } from '../text/names.ts';
import { ago } from '../text/words.ts';
import { offerName } from './claims.ts';
import {
  type Action,
  type Command,
  completeKinds,
  kindIn,
  matching,
  movementOptions,
  pickedOption,
  reasonIn,
  targetIn,
  type Use,
  withReason,
} from './command.ts';
import { movementLines } from './lists.ts';
import { balanceLines } from './points.ts';

/** Adds or subtracts points of the member that the command names. */
function* change(use: Use, sign: 1 | -1) {
  const target = targetIn(use);
  const [kindId, tokens, description] = [kindIn(use), Number(use.options.amount), reasonIn(use)];
  const { id: memberID } = yield* enrolled(use, target);
  const fields = { tokens: sign * tokens, realmPointId: kindId, description };
  const { newBalance } = yield* ask('changePoints', { memberID }, { ...fields, ...use.once });
  return { userId: target.id, amount: use.words.amount(tokens, kindId), newBalance };
}

const award: Command = {
  name: 'award',
  description: 'Award points to a member',
  options: movementOptions('Who gets them'),
  isForManagers: true,
  shownTo: 'all',
  complete: completeKinds,
  *answer(use) {
    const { userId, amount } = yield* change(use, 1);
    const sentence = use.texts.awarded(mention(userId), amount);
    const shown = card(withReason(sentence, reasonIn(use)));
    return toAll({ content: mention(userId), ...shown, pings: [userId] });
  },
};

const take: Command = {
  name: 'take',
  description: 'Take points from a member',
  options: movementOptions('Whose points'),
  isForManagers: true,
  shownTo: 'one',
  complete: completeKinds,
  *answer(use) {
    const { userId, amount, newBalance } = yield* change(use, -1);
    const left = use.words.number(newBalance);
    const sentence = use.texts.taken(mention(userId), amount, left);
    return toOne(card(withReason(sentence, reasonIn(use))));
  },
};

const RECENT = 50;
const REVERSIBLE = ['points.added', 'points.subtracted', 'points.transferred', 'points.captured'];

const undo: Command = {
  name: 'undo',
  description: 'Undo one of the last movements of points',
  options: [pickedOption('movement', 'Which one', true)],
  isForManagers: true,
  shownTo: 'one',
  *complete(use) {
    const { items } = yield* ask('listTransactions', {}, { limit: RECENT });
    const open = items.filter(
      ({ type, tokens, reversedTokens }) =>
        REVERSIBLE.includes(type) && reversedTokens < Math.abs(tokens),
    );
    const members = yield* membersById(open.map(({ memberId }) => memberId));
    const choices = open.map((one): Choice => {
      const who = plainNameOf(one.memberId, members.get(one.memberId));
      return { name: movementName(use, one, who), value: String(one.transactionId) };
    });
    return matching(choices, use.options.movement);
  },
  *answer({ options, texts, words, once }) {
    const transactionID = Number(options.movement);
    if (!Number.isSafeInteger(transactionID) || transactionID < 1) {
      throw new Refusal(texts.unknownMovement);
    }
    const { memberId, tokens, realmPointId } = yield* ask('getTransaction', { transactionID }, {});
    yield* ask('reverseTransaction', { transactionID }, { ...once });
    const members = yield* membersById([memberId]);
    const amount = words.amount(Math.abs(tokens), realmPointId);
    return toOne(card(texts.undone(amount, nameOf(memberId, members.get(memberId)))));
  },
};

function movementName({ words, texts }: Use, one: Transaction, who: string): string {
  const { tokens, realmPointId, description, type } = one;
  const amount = words.plain(Math.abs(tokens), realmPointId);
  const why = description ?? texts.movements[type] ?? type;
  return cut(`${tokens < 0 ? '−' : '+'}${amount} · ${visible(who)} · ${visible(why)}`, 100);
}

/** Rows of buttons; a message has five. */
const SHOWN_CLAIMS = 5;

const pending: Command = {
  name: 'pending',
  description: 'Claims that wait to be delivered or rejected',
  isForManagers: true,
  shownTo: 'one',
  *answer(use) {
    return toOne(yield* pendingMessage(use));
  },
};

function* pendingMessage({ words, texts }: Use): Steps<Message> {
  const { items } = yield* ask('listClaims', {}, { status: 'pending', limit: SHOWN_CLAIMS });
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
  return card(lines.join('\n') || texts.nothingPending, { title: texts.pending }, rows);
}

const settle = (operation: 'deliverClaim' | 'rejectClaim'): Action => ({
  isForManagers: true,
  *answer(use, claimId = '') {
    yield* ask(operation, { claimID: Number(claimId) }, { ...use.once });
    return update(yield* pendingMessage(use));
  },
});

const SHOWN_MOVEMENTS = 5;

const pointsMenu: Command = {
  name: 'Points',
  isForManagers: true,
  shownTo: 'one',
  *answer(use) {
    const target = targetIn(use);
    const title = use.texts.balanceOf(escaped(target.displayName));
    const member = yield* findMember(target.id);
    const shown = balanceLines(use, member, Object.keys(member?.balances ?? {}));
    if (!member) return toOne(card(shown, { title }));
    const limit = SHOWN_MOVEMENTS;
    const { items } = yield* ask('memberTransactions', { memberID: member.id }, { limit });
    const value = cut((yield* movementLines(use, items)).join('\n'), 1_024);
    const fields = value ? [{ name: use.texts.latest, value }] : [];
    return toOne(card(shown, { title, fields }));
  },
};

export const managerCommands: Command[] = [award, take, undo, pending, pointsMenu];
export const managerActions = { deliver: settle('deliverClaim'), reject: settle('rejectClaim') };
