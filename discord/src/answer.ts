import { isProblem } from '@realmkeep/client';
import type { Asked } from './asked.ts';
import type { Use } from './commands/command.ts';
import { actions, commands } from './commands/index.ts';
import { card, type MessageReply, type Reply, toOne } from './reply.ts';
import { ask, isAway, Refusal, type Steps } from './steps.ts';
import { escaped, isDiscordId, mention } from './text/names.ts';
import { textsFor } from './text/texts.ts';
import { ago, Words } from './text/words.ts';

/** All that the app does when somebody uses it, whichever way the interaction came. */
export function* answer(asked: Asked): Steps<Reply> {
  const { kind, isManager, texts } = asked;
  const [name = '', ...given] = asked.name.split(':');
  const command = commands.get(asked.name);
  const target = kind === 'component' ? actions.get(name) : command;
  if (!target) throw new Refusal(texts.outdated);
  if (target.isForManagers && !isManager) throw new Refusal(texts.onlyManagers);
  const words = new Words((yield* ask('listKinds', {}, {})).items, asked.locale);
  const use = { ...asked, words };
  if (kind === 'autocomplete')
    return { choices: command?.complete ? yield* command.complete(use) : [] };
  try {
    return yield* target.answer(use, ...given);
  } catch (error) {
    const own = ownSentence(error, use);
    throw own === undefined ? error : new Refusal(own);
  }
}

/** What is refused most often, in numbers and times as its reader writes them. */
function ownSentence(error: unknown, { person, texts, words }: Use): string | undefined {
  if (!isProblem(error)) return undefined;
  const { code, memberId, ...about } = Object(error);
  const isOwn = memberId === person.id;
  if (code === 'member-frozen' && isOwn) return texts.frozen;
  if (code === 'reversal-exceeded' && about.remaining === 0) return texts.undoneAlready;
  if (code === 'offer-limit-reached' && isOwn && about.limit === 1)
    return about.nextAt ? texts.again(ago(about.nextAt)) : texts.onlyOnce;
  // What the least is that has to stay, or who a member is by another id, the service explains.
  if (code !== 'insufficient-points' || about.minimumBalance || !isDiscordId(memberId))
    return undefined;
  const has = words.amount(about.balance, about.realmPointId ?? words.kinds[0]?.id);
  const held = about.held ? ` (${texts.onHold(words.number(about.held))})` : '';
  return texts.lack(isOwn ? '' : mention(memberId), has + held, words.number(about.requested));
}

/** The reply to what failed: always to the caller alone, and not alarming. */
export function refusalOf(error: unknown, { kind, locale }: Pick<Asked, 'kind' | 'locale'>): Reply {
  if (kind === 'autocomplete') return { choices: [] };
  const { resting, failed } = textsFor(locale);
  // What is wrong with a key is nothing for members.
  const isOwn = isProblem(error) && error.status < 500 && ![401, 403].includes(error.status);
  const sentence = isAway(error) ? resting : isOwn ? escaped(error.message) : failed;
  return toOne(card(error instanceof Refusal ? error.message : sentence, { color: 0x8a8f98 }));
}

/** Who would see the reply, as far as it is known before there is one. */
export const shownTo = ({ kind, name }: Asked): MessageReply['to'] =>
  kind === 'component' ? 'update' : (commands.get(name)?.shownTo ?? 'one');
