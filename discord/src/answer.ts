import { isProblem } from '@realmkeep/client';
import type { Asked } from './asked.ts';
import { actions, commands } from './commands/index.ts';
import { isAway, Refusal, Unanswered } from './refusal.ts';
import { button, card, footer, type MessageReply, type Reply, row, toOne } from './reply.ts';
import { ask, type Steps } from './steps.ts';
import { escaped } from './text/names.ts';
import { type Texts, textsFor } from './text/texts.ts';
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

/** Refusals are not alarming: a grey bar instead of the accent. */
const QUIET = { color: 0x8a8f98 };

/** The reply to what failed: always to the caller alone. */
export function refusalOf(error: unknown, { kind, locale }: Pick<Asked, 'kind' | 'locale'>): Reply {
  if (kind === 'autocomplete') return { choices: [] };
  const texts = textsFor(locale);
  const sentence = sentenceOf(error, texts);
  if (!(error instanceof Unanswered)) return toOne(card(sentence, QUIET));
  const again = row(button(texts.tryAgain, error.again));
  return toOne(card(sentence, { ...QUIET, ...footer(error.footer) }, [again]));
}

function sentenceOf(error: unknown, texts: Texts): string {
  if (error instanceof Refusal) return error.message;
  if (isAway(error)) return texts.resting;
  return isProblem(error) && error.status < 500 ? escaped(error.message) : texts.failed;
}

/** Who would see the reply, as far as it is known before there is one. */
export const shownTo = ({ kind, name }: Asked): MessageReply['to'] =>
  kind === 'component' ? 'update' : (commands.get(name)?.shownTo ?? 'one');
