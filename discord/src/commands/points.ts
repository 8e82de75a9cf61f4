import type { Member } from '@realmkeep/client';
import { enrolled, findMember } from '../members.ts';
import { button, card, footer, type Message, row, toAll, toOne, update } from '../reply.ts';
import { ask, Refusal, type Steps } from '../steps.ts';
import { escaped, mention } from '../text/names.ts';
import { ago } from '../text/words.ts';
import type { Action, Command, Use } from './command.ts';
import { asksFirst, shownBy, withReason } from './command.ts';
import {
  completeKinds,
  kindIn,
  kindOption,
  memberOption,
  movementIn,
  movementOf,
} from './inputs.ts';

const balance: Command = {
  name: 'balance',
  description: 'How many points you have, or somebody else has',
  options: [memberOption('Whose points; yours by default', false), kindOption],
  shownTo: 'one',
  complete: completeKinds,
  *answer(use) {
    const { options, person, people, texts } = use;
    const kindId = kindIn(use);
    const other = people[String(options.member)];
    const isOther = other !== undefined && other.id !== person.id;
    const title = isOther ? texts.balanceOf(escaped(other.displayName)) : texts.yourBalance;
    // Looking somebody up makes nobody a member.
    const member = isOther ? yield* findMember(other.id) : yield* enrolled(use);
    const shown = options.kind ? [kindId] : Object.keys(member?.balances ?? {});
    return toOne(card(balanceLines(use, member, shown), { title }));
  },
};

/** The first kind in bold; the others, and what is on hold, below. */
export function balanceLines({ words, texts }: Use, member: Member | null, kindIds: string[]) {
  if (!member) return texts.none;
  const shown = kindIds.filter((id, index) => index === 0 || member.balances[id]);
  const lines = shown.map((id, index) => {
    const amount = words.amount(member.balances[id] ?? 0, id);
    const held = member.held[id] ?? 0;
    const note = held ? ` (${texts.onHold(words.number(held))})` : '';
    return (index === 0 ? `**${amount}**` : amount) + note;
  });
  return lines.join('\n');
}

type Gift = Omit<ReturnType<typeof movementIn>, 'target'> & { target: { id: string } };

const give: Command = {
  name: 'give',
  description: 'Give points to somebody',
  ...movementOf('Who gets them'),
  shownTo: 'all',
  *answer(use) {
    const { words, texts } = use;
    const gift = movementIn(use);
    const { target, kindId, tokens, reason, intent } = gift;
    const sender = yield* enrolled(use);
    const recipient = yield* enrolled(use, target);
    const available = sender.available[kindId] ?? 0;
    if (recipient.id === sender.id || !asksFirst(tokens, available)) {
      yield* transfer(use, gift, sender, recipient);
      return toAll(giftMessage(use, gift));
    }
    const left = words.number(BigInt(available) - BigInt(tokens));
    const question = texts.askGive(words.amount(tokens, kindId), mention(target.id), left);
    const id = `give:${intent}:${target.id}:${tokens}:${kindId}`;
    const buttons = row(button(texts.give, id, 'success'), button(texts.cancel, 'cancel'));
    // The footer is shown as it is, and so the button finds the reason in it.
    return toOne(card(question, footer(reason && `“${reason}”`), [buttons]));
  },
};

function* transfer({ once }: Use, gift: Gift, sender: Member, recipient: Member) {
  const { tokens, kindId: realmPointId, reason: description, intent } = gift;
  const fields = { recipientId: recipient.id, tokens, realmPointId, description };
  const own = { ...once, idempotencyKey: `discord:${intent}` };
  return yield* ask('transferPoints', { memberID: sender.id }, { ...fields, ...own });
}

function giftMessage({ words, texts, person }: Use, gift: Gift): Message {
  const { target, tokens, kindId, reason } = gift;
  const sentence = texts.gave(mention(person.id), words.amount(tokens, kindId), mention(target.id));
  return { content: withReason(sentence, reason), pings: [target.id] };
}

/** The confirmed gift has the key of the command that asked for it: pressed twice, one effect. */
const confirmGive: Action = {
  *answer(use, intent = '', recipientId = '', amount = '', kindId = '') {
    const { words, texts, person, message } = use;
    const reason = message?.embeds[0]?.footer?.text.slice(1, -1);
    const gift = { target: { id: recipientId }, tokens: Number(amount), kindId, reason, intent };
    const sender = yield* findMember(person.id);
    const recipient = yield* findMember(recipientId);
    if (!sender || !recipient) throw new Refusal(texts.outdated);
    const { senderBalance } = yield* transfer(use, gift, sender, recipient);
    const shown = words.amount(gift.tokens, kindId);
    const sentence = texts.given(shown, mention(recipientId), words.number(senderBalance));
    return { ...update(card(sentence)), followUp: { intent, message: giftMessage(use, gift) } };
  },
};

// biome-ignore lint/correctness/useYield: there is nothing to ask.
const cancel = shownBy(function* ({ texts }): Steps<Message> {
  return card(texts.cancelled);
});

const wallet: Command = {
  name: 'wallet',
  description: 'Link your wallet, by signing with it',
  shownTo: 'one',
  *answer(use) {
    const { texts, words, once } = use;
    const { id, wallets } = yield* enrolled(use);
    const { url, expiresAt } = yield* ask('createWalletLink', { memberID: id }, { ...once });
    // The link of an interaction that came again was shown already.
    if (url === null) throw new Refusal(texts.outdated);
    const lines = [texts.walletHow, texts.walletUntil(ago(expiresAt))];
    if (wallets.length > 0) lines.push(texts.walletsLinked(words.number(wallets.length)));
    const open = row({ type: 2, style: 5, label: texts.walletOpen, url });
    return toOne(card(lines.join('\n\n'), { title: texts.wallet }, [open]));
  },
};

export const pointsCommands: Command[] = [balance, give, wallet];
export const pointsActions = { give: confirmGive, cancel };
