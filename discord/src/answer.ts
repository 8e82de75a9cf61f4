import { isProblem } from '@realmkeep/client';
import type { Asked } from './asked.ts';
import { actions, commands } from './commands/index.ts';
import { card, type MessageReply, type Reply, toOne } from './reply.ts';
import { ask, isAway, Refusal, type Steps } from './steps.ts';
import { escaped } from './text/names.ts';
import { textsFor } from './text/texts.ts';
import { Words } from './text/words.ts';

/**
 * From an interaction to calls of the service and a reply: all that the app does when somebody uses
 * it, whichever way the interaction came.
 */
export function* answer(asked: Asked): Steps<Reply> {
  const { kind, isManager, texts } = asked;
  const [name = '', ...given] = asked.name.split(':');
  const command = commands.get(asked.name);
  const target = kind === 'component' ? actions.get(name) : command;
  if (!target) throw new Refusal(texts.outdated);
  if (target.isForManagers && !isManager) throw new Refusal(texts.onlyManagers);
  const words = new Words((yield* ask('listKinds', {}, {})).items, asked.locale);
  const use = { ...asked, words };
  if (kind !== 'autocomplete') return yield* target.answer(use, ...given);
  return { choices: command?.complete ? yield* command.complete(use) : [] };
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
