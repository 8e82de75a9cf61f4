import type {
  APIApplicationCommandBasicOption,
  APIButtonComponent,
  APIButtonComponentWithCustomId,
  APIEmbed,
} from 'discord-api-types/v10';
import type { Asked } from '../asked.ts';
import { Refusal } from '../refusal.ts';
import type { Choice, Reply, Row } from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { Kinds } from '../text/amounts.ts';
import { cut } from '../text/names.ts';
import type { Texts } from '../text/texts.ts';

export interface Command {
  name: string;
  /** A member's menu has none. */
  description?: string;
  options?: APIApplicationCommandBasicOption[];
  isForManagers?: true;
  /** Who sees the answer, as far as it is known beforehand. */
  shownTo: 'all' | 'one';
  answer(asked: Asked, texts: Texts): Steps<Reply>;
  /** Proposals for the option that is being typed. */
  complete?(asked: Asked, texts: Texts): Steps<Choice[]>;
}

/** What a button or a list does. Its `custom_id` is the name of the action and its arguments. */
export interface Action {
  isForManagers?: true;
  answer(asked: Asked, texts: Texts, ...given: string[]): Steps<Reply>;
}

const MOST_POINTS = Number.MAX_SAFE_INTEGER;

/** Options, as Discord describes them. */
export const memberOption = (description: string, required = true) =>
  ({ type: 6, name: 'member', description, required }) as const;
export const amountOption = (description: string) =>
  ({
    type: 4,
    name: 'amount',
    description,
    required: true,
    min_value: 1,
    max_value: MOST_POINTS,
  }) as const;
export const reasonOption = {
  type: 3,
  name: 'reason',
  description: 'What for; shown in the history',
  max_length: 200,
} as const;
/** A text that is picked from proposals. */
export const pickedOption = (name: string, description: string, required: boolean) =>
  ({ type: 3, name, description, required, autocomplete: true, max_length: 100 }) as const;
export const kindOption = pickedOption('kind', 'Which points; the usual ones by default', false);

export function* allKinds(): Steps<Kinds> {
  return new Kinds((yield* ask('listKinds', {}, {})).items);
}

/** The kinds, and the id of the one that an option names. */
export function* kindsAnd(named: unknown, texts: Texts): Steps<{ kinds: Kinds; kindId: string }> {
  const kinds = yield* allKinds();
  const kind = kinds.named(named);
  if (!kind) throw new Refusal(texts.unknownKind);
  return { kinds, kindId: kind.id };
}

export function* completeKinds({ options }: Asked): Steps<Choice[]> {
  const kinds = yield* allKinds();
  const open = kinds.all.filter(({ archived }) => !archived);
  return matching(
    open.map(({ id, name }) => ({ name: cut(name, 100), value: id })),
    options.kind,
  );
}

/** The proposals that contain what was typed so far. */
export function matching(choices: Choice[], typed: unknown): Choice[] {
  const wanted = String(typed ?? '').toLowerCase();
  return choices.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, 25);
}

/** The reason of a movement, if one was given. */
export const reasonIn = ({ options }: Asked): string | undefined =>
  String(options.reason ?? '').trim() || undefined;

/** The one colour of the app's messages: the console's teal. */
export const ACCENT = 0x1d9a95;

export const card = (fields: APIEmbed): APIEmbed => ({ color: ACCENT, ...fields });

const STYLES = { primary: 1, secondary: 2, success: 3, danger: 4 } as const;

export const button = (
  label: string,
  customId: string,
  style: keyof typeof STYLES = 'secondary',
): APIButtonComponentWithCustomId => ({
  type: 2,
  style: STYLES[style],
  label: cut(label, 80),
  custom_id: customId,
});

export const row = (...components: APIButtonComponent[]): Row => ({ type: 1, components });

/** A sum that a member would rather not lose by a slip: half of what there is, and not little. */
export const asksFirst = (tokens: number, available: number | bigint | undefined): boolean =>
  tokens >= 100 && BigInt(tokens) * 2n > BigInt(available ?? 0);
