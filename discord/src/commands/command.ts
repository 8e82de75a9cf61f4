import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import type { Asked } from '../asked.ts';
import { type Choice, type Message, type Reply, toOne, update } from '../reply.ts';
import type { Steps } from '../steps.ts';
import { escaped } from '../text/names.ts';
import type { Words } from '../text/words.ts';

/** An interaction with the words to answer it. */
export type Use = Asked & { words: Words };

/** What a button or a list does. Its `custom_id` is the name of the action and its arguments. */
export interface Action {
  isForManagers?: true;
  answer(use: Use, ...given: string[]): Steps<Reply>;
}

export interface Command extends Action {
  name: string;
  /** A member's menu has none. */
  description?: string;
  options?: APIApplicationCommandBasicOption[];
  /** Who sees the answer, as far as it is known beforehand. */
  shownTo: 'all' | 'one';
  complete?(use: Use): Steps<Choice[]>;
}

type Build = (use: Use, ...given: string[]) => Steps<Message>;

/** A private message; below a button, what takes the place of the one that has it. */
export const shownBy = (build: Build) => ({
  shownTo: 'one' as const,
  *answer(use: Use, ...given: string[]): Steps<Reply> {
    const message = yield* build(use, ...given);
    return use.kind === 'component' ? update(message) : toOne(message);
  },
});

export const withReason = (sentence: string, reason: string | null | undefined): string =>
  reason ? `${sentence}\n> ${escaped(reason)}` : sentence;

/** A sum that a member would rather not lose by a slip: half of what there is, and not little. */
export const asksFirst = (tokens: number, available: number | bigint): boolean =>
  tokens >= 100 && tokens <= available && BigInt(tokens) * 2n > BigInt(available);
