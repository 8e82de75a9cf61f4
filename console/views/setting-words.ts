import type { SettingsForm } from '../state/settings-form.ts';

type Field = keyof SettingsForm;

export const LABELS: Record<Field, string> = {
  name: 'Name',
  transfers: 'Members may give points to each other',
  autoEnroll: 'Add unknown members automatically when they get points',
  unknownMembers: 'When a program looks up an unknown member',
  discordPictures: 'Show the pictures that members have on Discord',
  timeZone: 'Time zone of days, weeks and months',
  most: 'Largest amount in one change',
  perSecond: 'Requests per second per key',
  burst: 'Requests at once after a pause',
  siteUrl: 'Site where members sign with their wallets',
};

export const LOOK_UPS: { value: SettingsForm['unknownMembers']; label: string }[] = [
  { value: 'not-found', label: 'Answer “not found”' },
  { value: 'zero', label: 'Answer with zero points' },
];

/** What an empty field means. */
export const IF_EMPTY = {
  most: 'No limit',
  perSecond: 'The service’s default',
  burst: 'Twice as many',
  siteUrl: 'None',
};

/** A value of the form in words. */
export function inWords(field: Field, value: SettingsForm[Field]): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const look = field === 'unknownMembers' && LOOK_UPS.find((one) => one.value === value);
  if (look) return look.label;
  return value === '' && field in IF_EMPTY ? IF_EMPTY[field as keyof typeof IF_EMPTY] : value;
}
