import type { DiscordLink, RealmSettings } from '../model.ts';

type Setting = RealmSettings['discord'];

export const MAX_SERVERS = 20;

/** The servers of a realm, whichever form its setting has. */
export const linksOf = (setting: Setting): DiscordLink[] => [setting ?? []].flat();

/** One server is an object, several are a list, none is null. */
export const settingOf = (links: DiscordLink[]): Setting =>
  links.length > 1 ? links : (links[0] ?? null);
