import type { Person } from '../asked.ts';
import type { Choice } from '../reply.ts';
import { Refusal, type Steps } from '../steps.ts';
import { cut } from '../text/names.ts';
import type { Command, Use } from './command.ts';

export const memberOption = (description: string, required = true) =>
  ({ type: 6, name: 'member', description, required }) as const;

export const countOption = (name: string, description: string, required: boolean) =>
  ({ type: 4, name, description, required, min_value: 1, max_value: 2 ** 53 - 1 }) as const;

export const pickedOption = (name: string, description: string, required: boolean) =>
  ({ type: 3, name, description, required, autocomplete: true, max_length: 100 }) as const;

export const kindOption = pickedOption('kind', 'Which points; the usual ones by default', false);

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

/** What a command says of the points to move. */
export const movementIn = (use: Use) => ({
  target: targetIn(use),
  kindId: kindIn(use),
  tokens: Number(use.options.amount),
  reason: String(use.options.reason ?? '').trim() || undefined,
  /** The interaction that they are moved by: the key. */
  intent: use.id,
});

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

/** The proposals that contain what was typed so far; Discord shows 25. */
export function matching(choices: Choice[], typed: unknown): Choice[] {
  const wanted = String(typed ?? '').toLowerCase();
  return choices.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, 25);
}
