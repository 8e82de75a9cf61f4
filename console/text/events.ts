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
  'points.held': { icon: 'hold', tone: 'held', says: '{member}: {amount} set aside' },
  'points.released': { icon: 'release', says: '{member}: {amount} released' },
  'points.captured': { icon: 'minus', says: '{member}: {amount} taken from what was set aside' },
  'points.reversed': { icon: 'undo', says: '{member}: {amount} moved back' },
  'member.created': { icon: 'person', says: '{member} joined' },
  'member.updated': { icon: 'edit', says: '{member} changed' },
  'member.frozen': { icon: 'freeze', tone: 'held', says: '{member} frozen' },
  'member.unfrozen': { icon: 'freeze', says: '{member} unfrozen' },
  'member.removed': { icon: 'remove', tone: 'out', says: '{member} removed from the realm' },
  'member.erased': { icon: 'remove', tone: 'out', says: 'Personal data of {member} erased' },
  'wallet.linked': { icon: 'wallet', says: 'Wallet {address} linked to {member}' },
  'wallet.verified': { icon: 'wallet', tone: 'in', says: '{member} proved wallet {address}' },
  'wallet.unlinked': { icon: 'wallet', says: 'Wallet {address} unlinked from {member}' },
  'key.created': { icon: 'key', says: 'Key {name} issued' },
  'key.rotated': { icon: 'key', says: 'Key {keyId} replaced' },
  'key.revoked': { icon: 'key', tone: 'out', says: 'Key {keyId} revoked' },
  'point.created': { icon: 'points', says: 'Kind of points {name} created' },
  'point.updated': { icon: 'points', says: 'Kind of points {id} changed' },
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
  'realm.updated': { icon: 'settings', says: 'Settings changed' },
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
  says: '{member} gave {amount} to {recipient} from what was set aside',
};

/** A later service may have types that this console does not know. */
export function eventStyle({ type, data }: { type: string; data: object }): EventStyle {
  const { tokens, recipientId } = data as { tokens?: number; recipientId?: string };
  if (type === 'points.opened' && Number(tokens) < 0) return OPENING_DEBT;
  if (type === 'points.captured' && recipientId) return CAPTURED_FOR;
  return STYLES[type as EventType] ?? { icon: 'activity', says: type };
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
  { value: 'member', label: 'Members' },
  { value: 'wallet', label: 'Wallets' },
  { value: 'setup', label: 'Set-up' },
];

const SETUP = /^(realm|key|point|asset|webhook)\./;

/** The types of a group; `undefined` for all. */
export const typesOf = (group: string): EventType[] | undefined =>
  group === ''
    ? undefined
    : (Object.keys(STYLES) as EventType[]).filter((type) => isInGroup(type, group));

export const isInGroup = (type: string, group: string): boolean =>
  group === '' || (group === 'setup' ? SETUP.test(type) : type.startsWith(`${group}.`));
