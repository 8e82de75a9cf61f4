import { isProblem } from '@realmkeep/client';
import type { Asked } from './asked.ts';
import { button, card, row } from './commands/command.ts';
import { actions, commands } from './commands/index.ts';
import { isAway, Refusal, Unanswered } from './refusal.ts';
import { type Reply, toOne } from './reply.ts';
import type { Steps } from './steps.ts';
import { escaped } from './text/names.ts';
import { type Texts, textsFor } from './text/texts.ts';

/**
 * From an interaction to calls of the service and a reply: all that the app does when somebody uses
 * it, whichever way the interaction came.
 */
export function* answer(asked: Asked): Steps<Reply> {
  const texts = textsFor(asked.locale);
  if (asked.kind === 'autocomplete') {
    const command = commands.get(asked.name);
    const isMine = !command?.isForManagers || asked.isManager;
    return { choices: isMine && command?.complete ? yield* command.complete(asked, texts) : [] };
  }
  const [name = '', ...given] = asked.name.split(':');
  const target = asked.kind === 'command' ? commands.get(asked.name) : actions.get(name);
  if (!target) throw new Refusal(texts.outdated);
  if (target.isForManagers && !asked.isManager) throw new Refusal(texts.onlyManagers);
  return yield* target.answer(asked, texts, ...given);
}

/** The reply to what failed: always to the caller alone. */
export function refusalOf(error: unknown, asked: Pick<Asked, 'kind' | 'locale'>): Reply {
  if (asked.kind === 'autocomplete') return { choices: [] };
  const texts = textsFor(asked.locale);
  const embed = card({ description: sentenceOf(error, texts), color: QUIET });
  if (!(error instanceof Unanswered)) return toOne({ embeds: [embed] });
  const { again, footer } = error;
  return toOne({
    embeds: [{ ...embed, ...(footer && { footer: { text: footer } }) }],
    components: [row(button(texts.tryAgain, again))],
  });
}

/** Refusals are not alarming: a grey bar instead of the accent. */
const QUIET = 0x8a8f98;

function sentenceOf(error: unknown, texts: Texts): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof Unanswered || isAway(error)) return texts.resting;
  return isProblem(error) && error.status < 500 ? escaped(error.message) : texts.failed;
}

/** Who would see the reply, as far as it is known before there is one. */
export function shownTo({ kind, name }: Asked): 'all' | 'one' | 'update' {
  if (kind === 'component') return 'update';
  return commands.get(name)?.shownTo ?? 'one';
}
