import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import type { Asked, Person } from '../asked.ts';
import type { Choice, Reply } from '../reply.ts';
import { Refusal, type Steps } from '../steps.ts';
import { cut, escaped } from '../text/names.ts';
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

export const memberOption = (description: string, required = true) =>
  ({ type: 6, name: 'member', description, required }) as const;

export const countOption = (
  name: string,
  description: string,
  required: boolean,
  max_value: number = Number.MAX_SAFE_INTEGER,
) => ({ type: 4, name, description, required, min_value: 1, max_value }) as const;

export const pickedOption = (name: string, description: string, required: boolean) =>
  ({ type: 3, name, description, required, autocomplete: true, max_length: 100 }) as const;

export const kindOption = pickedOption('kind', 'Which points; the usual ones by default', false);

export const reasonIn = ({ options }: Use): string | undefined =>
  String(options.reason ?? '').trim() || undefined;

export const withReason = (sentence: string, reason: string | undefined): string =>
  reason ? `${sentence}\n> ${escaped(reason)}` : sentence;

export function targetIn({ people, options, targetId, texts }: Use): Person {
  const person = people[targetId || String(options.member)];
  if (!person) throw new Refusal(texts.unknownMember);
  return person;
}

/** The id of the kind of points that an option names; of the default kind without one. */
export function kindIn({ words, options, texts }: Use, named = options.kind): string {
  const kind = named ? words.kinds.find(({ id }) => id === named) : words.kinds[0];
  if (!kind) throw new Refusal(texts.unknownKind);
  return kind.id;
}

export function* completeKinds({ words, options }: Use): Steps<Choice[]> {
  const open = words.kinds.filter(({ archived }) => !archived);
  const choices = open.map(({ id, name }) => ({ name: cut(name, 100), value: id }));
  return matching(choices, options.kind);
}

/** What commands that move points have in common. */
export const movementOf = (whose: string): Pick<Command, 'options' | 'complete'> => ({
  options: [
    memberOption(whose),
    countOption('amount', 'How many', true),
    { type: 3, name: 'reason', description: 'What for; shown in the history', max_length: 200 },
    kindOption,
  ],
  complete: completeKinds,
});

const MOST_CHOICES = 25;

/** The proposals that contain what was typed so far. */
export function matching(choices: Choice[], typed: unknown): Choice[] {
  const wanted = String(typed ?? '').toLowerCase();
  const found = choices.filter(({ name }) => name.toLowerCase().includes(wanted));
  return found.slice(0, MOST_CHOICES);
}

/** A sum that a member would rather not lose by a slip: half of what there is, and not little. */
export const asksFirst = (tokens: number, available: number | bigint): boolean =>
  tokens >= 100 && tokens <= available && BigInt(tokens) * 2n > BigInt(available);
