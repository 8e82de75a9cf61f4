import type { EventType } from '@realmkeep/client';
import type { IconName } from './icons.ts';

/** How an event is shown. Braces name what is filled in. */
interface EventStyle {
  icon: IconName;
  says: string;
  tone?: 'in' | 'held' | 'out';
}

const STYLES: Record<EventType, EventStyle> = {
  'points.opened': { icon: 'plus', tone: 'in', says: '{member} started with {amount}' },
  'points.added': { icon: 'plus', tone: 'in', says: '{member} got {amount}' },
  'points.subtracted': { icon: 'minus', says: '{amount} taken from {member}' },
  'points.transferred': { icon: 'give', says: '{member} gave {amount} to {recipient}' },
  'points.held': { icon: 'hold', tone: 'held', says: '{member}: {amount} put on hold' },
  'points.released': { icon: 'release', says: '{member}: {amount} released' },
  'points.captured': { icon: 'minus', says: '{member}: {amount} captured' },
  'points.reversed': { icon: 'undo', says: 'Reversed {amount} for {member}: {original}' },
  'offer.created': { icon: 'offer', says: 'Offer {offer} added' },
  'offer.updated': { icon: 'offer', says: 'Offer {offer} changed' },
  'offer.claimed': { icon: 'claim', says: '{member} claimed {offer}' },
  'offer.drawn': { icon: 'offer', tone: 'in', says: 'Winners of {offer} drawn' },
  'claim.delivered': { icon: 'check', tone: 'in', says: '{offer} delivered to {member}' },
  'claim.rejected': { icon: 'undo', says: '{member}: claim of {offer} rejected' },
  'member.created': { icon: 'person', says: '{member} joined' },
  'member.updated': { icon: 'edit', says: '{member} changed' },
  'member.frozen': { icon: 'freeze', tone: 'held', says: '{member} frozen' },
  'member.unfrozen': { icon: 'freeze', says: '{member} unfrozen' },
  'member.removed': { icon: 'remove', tone: 'out', says: '{member} removed from the realm' },
  'member.erased': { icon: 'remove', tone: 'out', says: 'Personal data of {member} erased' },
  'wallet.linked': { icon: 'wallet', says: 'Wallet {address} linked to {member}' },
  'wallet.verified': { icon: 'wallet', tone: 'in', says: '{member} proved wallet {address}' },
  'wallet.unlinked': { icon: 'wallet', says: 'Wallet {address} unlinked from {member}' },
  'key.created': { icon: 'key', says: 'Key {key} issued' },
  'key.rotated': { icon: 'key', says: 'Key {key} replaced' },
  'key.revoked': { icon: 'key', tone: 'out', says: 'Key {key} revoked' },
  'person.invited': { icon: 'person', says: '{person} invited as {role}' },
  'person.updated': { icon: 'person', says: '{person} changed' },
  'person.removed': { icon: 'person', tone: 'out', says: '{person} removed from the team' },
  'person.erased': { icon: 'person', tone: 'out', says: 'Name of {person} erased' },
  'point.created': { icon: 'points', says: 'Point type {name} created' },
  'point.updated': { icon: 'points', says: 'Point type {id} changed' },
  'asset.created': { icon: 'points', says: 'Asset {id} added' },
  'asset.deleted': { icon: 'points', says: 'Asset {id} deleted' },
  'webhook.created': { icon: 'webhook', says: 'Webhook {webhookId} added' },
  'webhook.updated': { icon: 'webhook', says: 'Webhook {webhookId} changed' },
  'webhook.paused': { icon: 'webhook', tone: 'held', says: 'Webhook {webhookId} paused' },
  'webhook.resumed': { icon: 'webhook', says: 'Webhook {webhookId} resumed' },
  'webhook.rotated': { icon: 'webhook', says: 'Secret of webhook {webhookId} replaced' },
  'webhook.replayed': { icon: 'webhook', says: 'Webhook {webhookId} sends events again' },
  'webhook.deleted': { icon: 'webhook', tone: 'out', says: 'Webhook {webhookId} deleted' },
  'realm.created': { icon: 'realms', says: 'The realm was created' },
  'realm.updated': { icon: 'settings', says: 'Settings changed: {settings}' },
  'realm.archived': { icon: 'realms', tone: 'held', says: 'The realm was archived' },
  'realm.unarchived': { icon: 'realms', says: 'The realm was unarchived' },
  'realm.deleted': { icon: 'realms', tone: 'out', says: 'The realm was deleted' },
};

const OPENING_DEBT: EventStyle = {
  icon: 'minus',
  tone: 'out',
  says: '{member} started with a debt of {amount}',
};

const CAPTURED_FOR: EventStyle = {
  icon: 'give',
  says: '{member} gave {amount} to {recipient} from a hold',
};

const REVERSED_GIFT: EventStyle = {
  icon: 'undo',
  says: 'Reversed {amount} that {member} gave {recipient}: {original}',
};

/** Settings inside a sentence. A later service may have others. */
const SETTINGS: Record<string, string> = {
  name: 'name',
  autoEnroll: 'adding unknown members',
  transfers: 'giving points',
  maxTokensPerRequest: 'largest amount',
  rateLimit: 'requests per key',
  siteUrl: 'site of wallets',
  timeZone: 'time zone',
  unknownMembers: 'answers about unknown members',
  discordPictures: 'pictures of Discord',
  discord: 'Discord server',
};

/** Which settings an event has changed; one of an earlier service does not say. */
export function settingsIn({ data }: { data: object }): string {
  const { name, changed = [] } = data as { name?: string; changed?: string[] };
  const names = [...(name === undefined ? [] : ['name']), ...changed];
  return names.map((one) => SETTINGS[one] ?? one).join(', ') || 'several';
}

/** A later service may have types that this console does not know. */
export function eventStyle({ type, data }: { type: string; data: object }): EventStyle {
  const { tokens, recipientId } = data as { tokens?: number; recipientId?: string };
  if (type === 'points.opened' && Number(tokens) < 0) return OPENING_DEBT;
  if (type === 'points.captured' && recipientId) return CAPTURED_FOR;
  if (type === 'points.reversed' && recipientId) return REVERSED_GIFT;
  return STYLES[type as EventType] ?? { icon: 'activity', says: type };
}

/** The offer that an event is about. */
export function offerIn({ type, data }: { type: string; data: object }): string | undefined {
  const { id, offerId } = data as { id?: string; offerId?: string };
  return type.startsWith('offer.') ? (offerId ?? id) : offerId;
}

/** Whether what it said of a person was erased. */
export const isErased = ({ data }: { data: object }): boolean =>
  (data as { erased?: boolean }).erased === true;

type Part = { text: string } | { slot: string };

/** "{member} got {amount}" as its texts and what is filled in between. */
export const partsOf = (says: string): Part[] =>
  says
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? { slot: part.slice(1, -1) } : { text: part }));

export const EVENT_GROUPS = [
  { value: '', label: 'Everything' },
  { value: 'points', label: 'Points' },
  { value: 'offer', label: 'Offers' },
  { value: 'member', label: 'Members' },
  { value: 'wallet', label: 'Wallets' },
  { value: 'setup', label: 'Set-up' },
];

const SETUP = /^(realm|key|person|point|asset|webhook)\./;

/** The types of a group; `undefined` for all. */
export const typesOf = (group: string): EventType[] | undefined =>
  group === ''
    ? undefined
    : (Object.keys(STYLES) as EventType[]).filter((type) => isInGroup(type, group));

export const isInGroup = (type: string, group: string): boolean =>
  group === '' ||
  (group === 'setup' ? SETUP.test(type) : type.replace('claim.', 'offer.').startsWith(`${group}.`));
