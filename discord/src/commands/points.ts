import type { Member } from '@realmkeep/client';
import type { Asked, Person } from '../asked.ts';
import { enrolled, findMember } from '../members.ts';
import { isAway, Refusal, Unanswered } from '../refusal.ts';
import { type Message, toAll, toOne, update } from '../reply.ts';
import { ask, type Once, type Steps } from '../steps.ts';
import { type Kinds, number } from '../text/amounts.ts';
import { escaped, mention } from '../text/names.ts';
import type { Texts } from '../text/texts.ts';
import {
  type Action,
  allKinds,
  amountOption,
  asksFirst,
  button,
  type Command,
  card,
  completeKinds,
  kindOption,
  kindsAnd,
  memberOption,
  reasonIn,
  reasonOption,
  row,
} from './command.ts';

const balance: Command = {
  name: 'balance',
  description: 'How many points you have, or somebody else',
  options: [memberOption('Whose points; yours by default', false), kindOption],
  shownTo: 'one',
  complete: completeKinds,
  *answer(asked, texts) {
    const { options, person, people } = asked;
    const { kinds, kindId } = yield* kindsAnd(options.kind, texts);
    const other = people[String(options.member)];
    if (!other || other.id === person.id) {
      const member = yield* enrolled(person, asked.once, texts);
      const shown = options.kind ? [kindId] : Object.keys(member.balances);
      return toOne({
        embeds: [balanceCard(texts.yourBalance, member, shown, kinds, asked, texts)],
      });
    }
    // Looking somebody up makes nobody a member.
    const member = yield* findMember(other.id);
    if (!member) return toOne(noneYet(other, texts));
    const title = texts.balanceOf(escaped(other.displayName));
    const shown = options.kind ? [kindId] : Object.keys(member.balances);
    return toOne({ embeds: [balanceCard(title, member, shown, kinds, asked, texts)] });
  },
};

const noneYet = ({ displayName }: Person, texts: Texts): Message => ({
  embeds: [card({ title: texts.balanceOf(escaped(displayName)), description: texts.none })],
});

/** The first kind in bold; the others, and what is on hold, below. */
export function balanceCard(
  title: string,
  member: Member,
  kindIds: string[],
  kinds: Kinds,
  { locale }: Asked,
  texts: Texts,
) {
  const lines = kindIds
    .filter((id, index) => index === 0 || member.balances[id])
    .map((id, index) => {
      const amount = kinds.amount(member.balances[id] ?? 0, id, locale);
      const held = member.held[id] ?? 0;
      const note = held ? ` (${texts.onHold(number(held, locale))})` : '';
      return (index === 0 ? `**${amount}**` : amount) + note;
    });
  return card({ title, description: lines.join('\n') });
}

const give: Command = {
  name: 'give',
  description: 'Give points to somebody',
  options: [memberOption('Who gets them'), amountOption('How many'), reasonOption, kindOption],
  shownTo: 'all',
  complete: completeKinds,
  *answer(asked, texts) {
    const { options, people, person, locale, once } = asked;
    const recipient = people[String(options.member)];
    if (!recipient) throw new Refusal(texts.unknownMember);
    const { kinds, kindId } = yield* kindsAnd(options.kind, texts);
    const sender = yield* enrolled(person, once, texts);
    const { id } = yield* enrolled(recipient, once, texts);
    const gift = {
      asked,
      sender,
      recipientId: recipient.id,
      tokens: Number(options.amount),
      kindId,
    };
    const reason = reasonIn(asked);
    const available = sender.available[kindId] ?? 0;
    if (id === sender.id || gift.tokens > available || !asksFirst(gift.tokens, available)) {
      yield* transfer({ ...gift, memberId: id, reason, once });
      return toAll(giftMessage(gift, kinds, reason, texts));
    }
    const amount = kinds.amount(gift.tokens, kindId, locale);
    const left = number(BigInt(available) - BigInt(gift.tokens), locale);
    const confirm = `give:${asked.id}:${recipient.id}:${gift.tokens}:${kindId}`;
    return toOne({
      // The footer is shown as it is, and so the button finds the reason in it.
      embeds: [
        card({
          description: texts.askGive(amount, mention(recipient.id), left),
          ...(reason && { footer: { text: reason } }),
        }),
      ],
      components: [row(button(texts.give, confirm, 'success'), button(texts.cancel, 'cancel'))],
    });
  },
};

interface Gift {
  asked: Asked;
  sender: Member;
  /** The user. */
  recipientId: string;
  tokens: number;
  kindId: string;
}

function* transfer(
  gift: Gift & { memberId: string; reason: string | undefined; once: Once },
): Steps<{ senderBalance: number }> {
  const { sender, memberId, tokens, kindId, reason, once } = gift;
  const fields = {
    recipientId: memberId,
    tokens,
    realmPointId: kindId,
    ...(reason !== undefined && { description: reason }),
    ...once,
  };
  try {
    return yield* ask('transferPoints', { memberID: sender.id }, fields);
  } catch (error) {
    if (!isAway(error)) throw error;
    const intent = once.idempotencyKey.replace('discord:', '');
    throw new Unanswered(`give:${intent}:${gift.recipientId}:${tokens}:${kindId}`, error, reason);
  }
}

function giftMessage(
  { asked, recipientId, tokens, kindId }: Gift,
  kinds: Kinds,
  reason: string | undefined,
  texts: Texts,
): Message {
  const amount = kinds.amount(tokens, kindId, asked.locale);
  const sentence = texts.gave(mention(asked.person.id), amount, mention(recipientId));
  return {
    content: mention(recipientId),
    embeds: [card({ description: withReason(sentence, reason) })],
    pings: [recipientId],
  };
}

export const withReason = (sentence: string, reason: string | undefined): string =>
  reason ? `${sentence}\n> ${escaped(reason)}` : sentence;

/** The confirmed gift has the key of the command that asked for it: pressed twice, one effect. */
const confirmGive: Action = {
  *answer(asked, texts, intent = '', recipientId = '', amount = '', kindId = '') {
    const kinds = yield* allKinds();
    const sender = yield* findMember(asked.person.id);
    const recipient = yield* findMember(recipientId);
    if (!sender || !recipient) throw new Refusal(texts.outdated);
    const reason = asked.message?.embeds[0]?.footer?.text;
    const once = { ...asked.once, idempotencyKey: `discord:${intent}` };
    const gift = { asked, sender, recipientId, tokens: Number(amount), kindId };
    const { senderBalance } = yield* transfer({ ...gift, memberId: recipient.id, reason, once });
    const shown = kinds.amount(gift.tokens, kindId, asked.locale);
    const left = number(senderBalance, asked.locale);
    const description = texts.given(shown, mention(recipientId), left);
    return {
      ...update({ embeds: [card({ description })] }),
      followUp: { intent, message: giftMessage(gift, kinds, reason, texts) },
    };
  },
};

const cancel: Action = {
  // biome-ignore lint/correctness/useYield: it has nothing to ask.
  *answer(_, texts) {
    return update({ embeds: [card({ description: texts.cancelled })] });
  },
};

export const pointsCommands: Command[] = [balance, give];
export const pointsActions = { give: confirmGive, cancel };
