import type { APIInteraction, APIMessage, APIUser } from 'discord-api-types/v10';
import type { LinkedRealm } from './options.ts';
import type { Once } from './steps.ts';
import { visible } from './text/names.ts';
import { type Texts, textsFor } from './text/texts.ts';

export interface Person {
  id: string;
  username: string;
  displayName: string;
  isBot: boolean;
}

/** An interaction, as far as commands and buttons look at it. */
export interface Asked {
  id: string;
  /** When, by the id that Discord gave it: its first bits count milliseconds of 2015 and later. */
  at: number;
  kind: 'command' | 'component' | 'autocomplete';
  /** The name of the command, or the `custom_id` of what was pressed, and what was picked. */
  name: string;
  person: Person;
  isManager: boolean;
  locale: string;
  texts: Texts;
  /** The options of a command by name, and people by id. */
  options: Record<string, string | number | boolean>;
  people: Record<string, Person>;
  targetId: string;
  message: APIMessage | undefined;
  /** How writes are made once per interaction, in the member's name. */
  once: Once;
}

interface Data {
  name?: string;
  custom_id?: string;
  values?: string[];
  options?: { name: string; value: string | number | boolean }[];
  target_id?: string;
  resolved?: {
    users?: Record<string, APIUser>;
    members?: Record<string, { nick?: string | null }>;
  };
}

const KINDS = { 2: 'command', 3: 'component', 4: 'autocomplete' } as const;

export const localeOf = (interaction: APIInteraction): string =>
  ('locale' in interaction && interaction.locale) || 'en-US';

/** Only of servers: a private message has no member, hence no permissions. Null if it is none. */
export function askedBy(interaction: APIInteraction, realm: LinkedRealm): Asked | null {
  const { id, member } = interaction;
  const kind = KINDS[interaction.type as keyof typeof KINDS];
  if (!member || !kind) return null;
  const data = interaction.data as Data;
  const { name, custom_id, values = [], options = [], target_id, resolved } = data;
  const person = personOf(member.user, member.nick);
  const locale = localeOf(interaction);
  const named = (user: APIUser) => personOf(user, resolved?.members?.[user.id]?.nick);
  const people = Object.values(resolved?.users ?? {}).map((user) => [user.id, named(user)]);
  return {
    id,
    at: Number(BigInt(id) >> 22n) + 1_420_070_400_000,
    kind,
    name: name ?? [custom_id, ...values].join(':'),
    person,
    // Checked here as well: whoever administers the server may show commands to anybody.
    isManager:
      (BigInt(member.permissions) & MANAGING) !== 0n ||
      member.roles.includes(realm.managerRoleId ?? ''),
    locale,
    texts: textsFor(locale),
    options: Object.fromEntries(options.map((option) => [option.name, option.value])),
    people: Object.fromEntries(people),
    targetId: target_id ?? '',
    message: interaction.message,
    once: { idempotencyKey: `discord:${id}`, onBehalfOf: `discord:${person.id}` },
  };
}

const personOf = (user: APIUser, nick: string | null | undefined): Person => ({
  id: user.id,
  username: user.username,
  displayName: visible(nick || user.global_name || '') || user.username,
  isBot: user.bot === true,
});

/** Administrator, or Manage Server. */
const MANAGING = (1n << 3n) | (1n << 5n);
