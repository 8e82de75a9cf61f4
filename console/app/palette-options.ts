import type { Realm } from '@realmkeep/client';
import { addresses } from '../addresses.ts';
import { service } from '../api/service.ts';
import { DAILY, SETTING_UP } from '../frame/navigation.ts';
import { useAnswer } from '../state/answers.ts';
import { type AskedDialog, askFor } from '../state/asked.ts';
import { mayChange } from '../state/realm.ts';
import { may, session, signOut } from '../state/session.ts';
import { theme } from '../state/theme.ts';
import { shortId } from '../text/format.ts';
import type { IconName } from '../text/icons.ts';
import { hasWords } from '../text/word-search.ts';
import type { Listed } from '../ui/listbox.ts';

export interface Option extends Listed {
  icon: IconName;
  label: string;
  note?: string;
  select: () => void;
}

/** Something to go to or to start, which may be called by other words as well. */
interface Command {
  label: string;
  words?: string;
  icon: IconName;
  isAllowed: boolean;
  select: () => void;
}

type GoTo = (address: string) => void;

/** The views and actions of a realm, and of the service, that fit what was typed. */
export function commandsOfRealm(typed: string, realm: Realm, goTo: GoTo): Option[] {
  const views = viewsOf(realm, goTo);
  // Before anything is typed, a list of all that can be done would only be long.
  if (typed.trim() === '') return optionsOf(typed, views);
  return optionsOf(typed, [...views, ...actionsOf(realm, goTo), ...serviceCommands(goTo)]);
}

export const commandsOfService = (typed: string, goTo: GoTo): Option[] =>
  optionsOf(typed, serviceCommands(goTo));

const optionsOf = (typed: string, commands: Command[]): Option[] =>
  commands
    .filter(({ label, words = '', isAllowed }) => isAllowed && hasWords(`${label} ${words}`, typed))
    .map(({ label, icon, select }) => ({ id: label, label, icon, select }));

const viewsOf = ({ id }: Realm, goTo: GoTo): Command[] =>
  [...DAILY, ...SETTING_UP].map(({ name, icon, href, scope }) => ({
    label: name,
    icon,
    isAllowed: may(scope),
    select: () => goTo(href(id)),
  }));

function actionsOf(realm: Realm, goTo: GoTo): Command[] {
  const { id } = realm;
  const canWrite = mayChange(realm);
  const canSetUp = mayChange(realm, 'admin');
  const opening = (dialog: AskedDialog, address: string) => ({
    select: () => openAt(dialog, address, goTo),
  });
  return [
    {
      label: 'Add a member',
      words: 'enrol enroll new create',
      icon: 'plus',
      isAllowed: canWrite,
      ...opening('enrol', addresses.members(id)),
    },
    {
      label: 'Import members',
      words: 'csv upload list',
      icon: 'import',
      isAllowed: canWrite,
      select: () => goTo(addresses.import(id)),
    },
    {
      label: 'Export members',
      words: 'csv download list',
      icon: 'export',
      isAllowed: may('read'),
      ...opening('export', addresses.members(id)),
    },
    {
      label: 'Issue a key',
      words: 'create add new api',
      icon: 'key',
      isAllowed: canSetUp,
      ...opening('issue a key', addresses.keys(id)),
    },
    {
      label: 'Invite a person',
      words: 'add team manager admin people',
      icon: 'person',
      isAllowed: canSetUp,
      ...opening('invite a person', addresses.people(id)),
    },
    {
      label: 'Add a webhook',
      words: 'create new',
      icon: 'webhook',
      isAllowed: canSetUp,
      ...opening('add a webhook', addresses.webhooks(id)),
    },
    {
      label: 'Add a point type',
      words: 'create new kind currency',
      icon: 'points',
      isAllowed: canSetUp,
      ...opening('add a kind', addresses.points(id)),
    },
    {
      label: 'Add an offer',
      words: 'create new reward shop item quest raffle',
      icon: 'offer',
      isAllowed: canSetUp,
      ...opening('add an offer', addresses.offers(id)),
    },
  ];
}

function openAt(dialog: AskedDialog, address: string, goTo: GoTo): void {
  askFor(dialog);
  goTo(address);
}

function serviceCommands(goTo: GoTo): Command[] {
  const isRoot = session.value?.isRoot ?? false;
  const look = (to: typeof theme.value, label: string): Command => ({
    label,
    words: 'theme look mode appearance',
    icon: to,
    isAllowed: theme.value !== to,
    select: () => {
      theme.value = to;
    },
  });
  return [
    {
      label: 'Realms',
      words: 'switch communities',
      icon: 'realms',
      isAllowed: isRoot,
      select: () => goTo(addresses.realms),
    },
    {
      label: 'Create a realm',
      words: 'add new community',
      icon: 'plus',
      isAllowed: isRoot,
      select: () => openAt('create a realm', addresses.realms, goTo),
    },
    {
      label: 'Owners',
      words: 'people team invite',
      icon: 'person',
      isAllowed: isRoot,
      select: () => goTo(addresses.owners),
    },
    {
      label: 'Sessions',
      words: 'passkeys devices',
      icon: 'system',
      isAllowed: true,
      select: () => goTo(addresses.sessions),
    },
    look('dark', 'Dark theme'),
    look('light', 'Light theme'),
    look('system', 'System theme'),
    {
      label: 'Sign out',
      words: 'log out logout leave',
      icon: 'leave',
      isAllowed: true,
      select: () => void signOut(),
    },
  ];
}

/** Realms to choose from are few; the others are in the list of realms. */
const LOOKED_AT = 100;
const SHOWN = 5;

/** Other realms by name or id. Only the root key and owners have any. */
export function useOtherRealms(
  typed: string,
  here: string | null,
  goTo: GoTo,
): { realms: Option[]; areKnown: boolean } {
  const isRoot = session.value?.isRoot ?? false;
  const { value, error } = useAnswer(`realms to choose from ${isRoot}`, async (signal) =>
    isRoot ? (await service.realms({ limit: LOOKED_AT, signal })).items : [],
  );
  const fitting = (value ?? []).filter(
    ({ id, name }) => id !== here && hasWords(`${name} ${id}`, typed),
  );
  const realms = fitting.slice(0, SHOWN).map(({ id, name }) => ({
    id: `realm ${id}`,
    icon: 'realms' as const,
    label: name,
    note: shortId(id, 8),
    select: () => goTo(addresses.overview(id)),
  }));
  return { realms, areKnown: value !== undefined || error !== undefined };
}
