import type { Transaction } from '@realmkeep/client';
import type { Asked } from '../asked.ts';
import { enrolled, findMember, membersById, nameOf, plainNameOf } from '../members.ts';
import { Refusal } from '../refusal.ts';
import { type Choice, type Message, toAll, toOne, update } from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { number, timestamp } from '../text/amounts.ts';
import { cut, escaped, mention, visible } from '../text/names.ts';
import type { Texts } from '../text/texts.ts';
import { offerName } from './claims.ts';
import {
  type Action,
  allKinds,
  amountOption,
  button,
  type Command,
  card,
  completeKinds,
  kindOption,
  kindsAnd,
  matching,
  memberOption,
  pickedOption,
  reasonIn,
  reasonOption,
  row,
} from './command.ts';
import { movementLines } from './lists.ts';
import { balanceCard, withReason } from './points.ts';

/** Adds or subtracts points of the member that the command names. */
function* changed(asked: Asked, texts: Texts, sign: 1 | -1) {
  const { options, people, once, locale } = asked;
  const target = people[String(options.member)];
  if (!target) throw new Refusal(texts.unknownMember);
  const { kinds, kindId } = yield* kindsAnd(options.kind, texts);
  const member = yield* enrolled(target, once, texts);
  const tokens = Number(options.amount);
  const reason = reasonIn(asked);
  const fields = {
    tokens: sign * tokens,
    realmPointId: kindId,
    ...(reason !== undefined && { description: reason }),
    ...once,
  };
  const { newBalance } = yield* ask('changePoints', { memberID: member.id }, fields);
  return { target, reason, amount: kinds.amount(tokens, kindId, locale), newBalance };
}

const award: Command = {
  name: 'award',
  description: 'Award points to a member',
  options: [memberOption('Who gets them'), amountOption('How many'), reasonOption, kindOption],
  isForManagers: true,
  shownTo: 'all',
  complete: completeKinds,
  *answer(asked, texts) {
    const { target, amount, reason } = yield* changed(asked, texts, 1);
    const sentence = texts.awarded(mention(target.id), amount);
    return toAll({
      content: mention(target.id),
      embeds: [card({ description: withReason(sentence, reason) })],
      pings: [target.id],
    });
  },
};

const take: Command = {
  name: 'take',
  description: 'Take points from a member',
  options: [memberOption('Whose points'), amountOption('How many'), reasonOption, kindOption],
  isForManagers: true,
  shownTo: 'one',
  complete: completeKinds,
  *answer(asked, texts) {
    const { target, amount, reason, newBalance } = yield* changed(asked, texts, -1);
    const left = number(newBalance, asked.locale);
    const sentence = texts.taken(mention(target.id), amount, left);
    return toOne({ embeds: [card({ description: withReason(sentence, reason) })] });
  },
};

const RECENT = 50;

const undo: Command = {
  name: 'undo',
  description: 'Undo one of the last movements of points',
  options: [pickedOption('movement', 'Which one', true)],
  isForManagers: true,
  shownTo: 'one',
  *complete({ options, locale }, texts) {
    const { items } = yield* ask('listTransactions', {}, { limit: RECENT });
    const open = items.filter(isReversible);
    const members = yield* membersById(open.map(({ memberId }) => memberId));
    const kinds = yield* allKinds();
    const choices = open.map((one): Choice => {
      const amount = kinds.amount(Math.abs(one.tokens), one.realmPointId, locale);
      const who = plainNameOf(one.memberId, members.get(one.memberId));
      const why = one.description ?? texts.movements[one.type] ?? one.type;
      const name = `${one.tokens < 0 ? '−' : '+'}${amount} · ${visible(who)} · ${visible(why)}`;
      return { name: cut(name, 100), value: String(one.transactionId) };
    });
    return matching(choices, options.movement);
  },
  *answer(asked, texts) {
    const transactionID = Number(asked.options.movement);
    if (!Number.isSafeInteger(transactionID) || transactionID < 1) {
      throw new Refusal(texts.unknownMovement);
    }
    const before = yield* ask('getTransaction', { transactionID }, {});
    yield* ask('reverseTransaction', { transactionID }, { ...asked.once });
    const kinds = yield* allKinds();
    const members = yield* membersById([before.memberId]);
    const name = nameOf(before.memberId, members.get(before.memberId));
    const amount = kinds.amount(Math.abs(before.tokens), before.realmPointId, asked.locale);
    return toOne({ embeds: [card({ description: texts.undone(amount, name) })] });
  },
};

const isReversible = ({ type, tokens, reversedTokens }: Transaction): boolean =>
  ['points.added', 'points.subtracted', 'points.transferred', 'points.captured'].includes(type) &&
  reversedTokens < Math.abs(tokens);

/** Rows of buttons; a message has five. */
const SHOWN_CLAIMS = 5;

const pending: Command = {
  name: 'pending',
  description: 'Claims that wait to be delivered or rejected',
  isForManagers: true,
  shownTo: 'one',
  *answer(asked, texts) {
    return toOne(yield* pendingMessage(asked, texts));
  },
};

function* pendingMessage({ locale }: Asked, texts: Texts): Steps<Message> {
  const { items } = yield* ask('listClaims', {}, { status: 'pending', limit: SHOWN_CLAIMS });
  if (items.length === 0) {
    return { embeds: [card({ title: texts.pending, description: texts.nothingPending })] };
  }
  const members = yield* membersById(items.map(({ memberId }) => memberId));
  const lines: string[] = [];
  for (const [index, { memberId, offerId, quantity, at }] of items.entries()) {
    const offer = yield* ask('getOffer', { offerID: offerId }, {});
    const times = quantity > 1 ? ` ×${number(quantity, locale)}` : '';
    const name = nameOf(memberId, members.get(memberId));
    lines.push(`${index + 1}. ${offerName(offer)}${times} · ${name} · ${timestamp(at, 'R')}`);
  }
  const rows = items.map(({ claimId }, index) =>
    row(
      button(`${index + 1} · ${texts.deliver}`, `deliver:${claimId}`, 'success'),
      button(`${index + 1} · ${texts.reject}`, `reject:${claimId}`, 'danger'),
    ),
  );
  return {
    embeds: [card({ title: texts.pending, description: lines.join('\n') })],
    components: rows,
  };
}

const settle = (operation: 'deliverClaim' | 'rejectClaim'): Action => ({
  isForManagers: true,
  *answer(asked, texts, claimId = '') {
    yield* ask(operation, { claimID: Number(claimId) }, { ...asked.once });
    return update(yield* pendingMessage(asked, texts));
  },
});

const SHOWN_MOVEMENTS = 5;

const pointsMenu: Command = {
  name: 'Points',
  isForManagers: true,
  shownTo: 'one',
  *answer(asked, texts) {
    const target = asked.people[asked.targetId];
    if (!target) throw new Refusal(texts.unknownMember);
    const title = texts.balanceOf(escaped(target.displayName));
    const member = yield* findMember(target.id);
    if (!member) return toOne({ embeds: [card({ title, description: texts.none })] });
    const kinds = yield* allKinds();
    const limit = SHOWN_MOVEMENTS;
    const { items } = yield* ask('memberTransactions', { memberID: member.id }, { limit });
    const lines = yield* movementLines(items, kinds, asked.locale, texts);
    const shown = balanceCard(title, member, Object.keys(member.balances), kinds, asked, texts);
    if (lines.length > 0) {
      shown.fields = [{ name: texts.latest, value: cut(lines.join('\n'), 1_024) }];
    }
    return toOne({ embeds: [shown] });
  },
};

export const managerCommands: Command[] = [award, take, undo, pending, pointsMenu];
export const managerActions = { deliver: settle('deliverClaim'), reject: settle('rejectClaim') };
