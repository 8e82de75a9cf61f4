import type {
  APIApplicationCommandInteractionDataBasicOption,
  APIInteraction,
  APIMessage,
  APIUser,
  LocaleString,
} from 'discord-api-types/v10';
import type { LinkedRealm } from './options.ts';
import type { Once } from './steps.ts';
import { visible } from './text/names.ts';

/** Somebody in the server. */
export interface Person {
  id: string;
  username: string;
  displayName: string;
  isBot: boolean;
}

/** An interaction, as far as commands and buttons look at it. */
export interface Asked {
  id: string;
  kind: 'command' | 'component' | 'autocomplete';
  /** The name of the command, or the `custom_id` of what was pressed. */
  name: string;
  person: Person;
  isManager: boolean;
  locale: LocaleString;
  /** The options of a command by name, and people among them. */
  options: Record<string, string | number | boolean>;
  people: Record<string, Person>;
  /** The option that is being typed. */
  focused: string;
  /** What was chosen in a list. */
  values: string[];
  /** Whom a member's menu was opened on. */
  targetId: string;
  /** What a pressed message says. */
  message: APIMessage | undefined;
  /** How writes are made once per interaction, in the member's name. */
  once: Once;
}

/** Only servers: a private message has no member, hence no permissions. Null if it is none. */
export function askedBy(interaction: APIInteraction, realm: LinkedRealm): Asked | null {
  const { id, member } = interaction;
  if (!member || ![2, 3, 4].includes(interaction.type)) return null;
  const data = (interaction.data ?? {}) as Data;
  const person = personOf(member.user, member.nick);
  const options = data.options ?? [];
  return {
    id,
    kind:
      interaction.type === 2 ? 'command' : interaction.type === 3 ? 'component' : 'autocomplete',
    name: data.name ?? data.custom_id ?? '',
    person,
    isManager: mayManage(member, realm),
    locale: ('locale' in interaction && interaction.locale) || 'en-US',
    options: Object.fromEntries(options.map(({ name, value }) => [name, value])),
    people: peopleIn(data),
    focused: options.find((option) => 'focused' in option && option.focused)?.name ?? '',
    values: data.values ?? [],
    targetId: data.target_id ?? '',
    message: interaction.message,
    once: { idempotencyKey: `discord:${id}`, onBehalfOf: `discord:${person.id}` },
  };
}

/** The fields of all kinds of data that are used here. */
interface Data {
  name?: string;
  custom_id?: string;
  options?: APIApplicationCommandInteractionDataBasicOption[];
  values?: string[];
  target_id?: string;
  resolved?: {
    users?: Record<string, APIUser>;
    members?: Record<string, { nick?: string | null }>;
  };
}

function peopleIn({ resolved }: Data): Record<string, Person> {
  const people = Object.entries(resolved?.users ?? {}).map(([id, user]) => [
    id,
    personOf(user, resolved?.members?.[id]?.nick),
  ]);
  return Object.fromEntries(people);
}

const personOf = (user: APIUser, nick: string | null | undefined): Person => ({
  id: user.id,
  username: user.username,
  displayName: visible(nick || user.global_name || '') || user.username,
  isBot: user.bot === true,
});

const ADMINISTRATOR = 1n << 3n;
const MANAGE_GUILD = 1n << 5n;

/** Checked here as well: whoever administers the server may show commands to anybody. */
const mayManage = (
  { permissions, roles }: { permissions: string; roles: string[] },
  { managerRoleId }: LinkedRealm,
): boolean =>
  (BigInt(permissions) & (ADMINISTRATOR | MANAGE_GUILD)) !== 0n ||
  (managerRoleId !== undefined && roles.includes(managerRoleId));
