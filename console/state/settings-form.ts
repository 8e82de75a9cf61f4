import type { Realm } from '@realmkeep/client';
import { amountFault, parseAmount } from '../text/amounts.ts';
import { changedFields } from '../text/changed-fields.ts';

/** The settings of a realm as they are typed. */
export interface SettingsForm {
  name: string;
  transfers: boolean;
  autoEnroll: boolean;
  unknownMembers: Realm['settings']['unknownMembers'];
  discordPictures: boolean;
  timeZone: string;
  most: string;
  perSecond: string;
  burst: string;
  siteUrl: string;
}

const typed = (number: number | null | undefined): string =>
  typeof number === 'number' ? String(number) : '';

export const formOf = ({ name, settings }: Pick<Realm, 'name' | 'settings'>): SettingsForm => ({
  name,
  transfers: settings.transfers,
  autoEnroll: settings.autoEnroll,
  unknownMembers: settings.unknownMembers,
  discordPictures: settings.discordPictures,
  timeZone: settings.timeZone,
  most: typed(settings.maxTokensPerRequest),
  perSecond: typed(settings.rateLimit?.perSecond),
  burst: typed(settings.rateLimit?.burst),
  siteUrl: settings.siteUrl ?? '',
});

/** What was changed and not saved, and what each of these fields was before. */
export interface Edits {
  typed: Partial<SettingsForm>;
  before: Partial<SettingsForm>;
}

export const NO_EDITS: Edits = { typed: {}, before: {} };

/** With more typed; what is typed as it is saved is no edit. */
export function edited(saved: SettingsForm, edits: Edits, more: Partial<SettingsForm>): Edits {
  const typed = changedFields(saved, { ...edits.typed, ...more });
  const names = Object.keys(typed) as (keyof SettingsForm)[];
  const before = Object.fromEntries(
    names.map((name) => [name, name in edits.typed ? edits.before[name] : saved[name]]),
  );
  return { typed, before };
}

/** The fields that were changed here and, to something else, by somebody else. */
export const clashesOf = (saved: SettingsForm, { typed, before }: Edits): (keyof SettingsForm)[] =>
  (Object.keys(typed) as (keyof SettingsForm)[]).filter(
    (name) => saved[name] !== before[name] && saved[name] !== typed[name],
  );

/** The most that the service takes for either. */
const MAX_RATE = 1_000_000;

/** Without a burst, it is what two seconds allow. */
function rateLimitOf({ perSecond, burst }: SettingsForm) {
  const rate = parseAmount(perSecond);
  if (rate === null) return null;
  return { perSecond: rate, burst: parseAmount(burst) ?? Math.min(2 * rate, MAX_RATE) };
}

/**
 * Only what was changed here is sent: the rest may have been changed elsewhere meanwhile. A rate
 * limit is sent whole.
 */
export function fieldsOf(form: SettingsForm, changes: Partial<SettingsForm>) {
  const { name, most, perSecond, burst, siteUrl, ...switches } = changes;
  const isRateChanged = perSecond !== undefined || burst !== undefined;
  const settings = {
    ...switches,
    ...(most === undefined ? {} : { maxTokensPerRequest: parseAmount(most) }),
    ...(isRateChanged ? { rateLimit: rateLimitOf(form) } : {}),
    ...(siteUrl === undefined ? {} : { siteUrl: siteUrl.trim() || null }),
  };
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

/** Why what was typed is no rate; null if it is one, or nothing was typed. */
export const rateFault = (rate: string): string | null =>
  rate.trim() === '' || parseAmount(rate) !== null
    ? null
    : 'It has to be a whole number, at least 1.';

export const isValid = ({ name, most, perSecond, burst }: SettingsForm): boolean =>
  name.trim() !== '' && amountFault(most) === null && !rateFault(perSecond) && !rateFault(burst);
