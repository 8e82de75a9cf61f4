import type { CurrentSession } from '@realmkeep/client';
import { addresses } from '../addresses.ts';
import type { IconName } from '../text/icons.ts';

export interface Destination {
  name: string;
  icon: IconName;
  href: (realm: string) => string;
  scope: CurrentSession['scopes'][number];
}

/** Of daily use. */
export const DAILY: Destination[] = [
  { name: 'Overview', icon: 'overview', href: addresses.overview, scope: 'read' },
  { name: 'Members', icon: 'members', href: addresses.members, scope: 'read' },
  { name: 'Activity', icon: 'activity', href: addresses.activity, scope: 'read' },
  { name: 'Leaderboard', icon: 'leaderboard', href: addresses.leaderboard, scope: 'read' },
  { name: 'Offers', icon: 'offer', href: addresses.offers, scope: 'read' },
  { name: 'Claims', icon: 'claim', href: addresses.claims, scope: 'read' },
  { name: 'Wallet check', icon: 'wallet', href: addresses.wallets, scope: 'read' },
];

/** For setting things up. */
export const SETTING_UP: Destination[] = [
  { name: 'Point types', icon: 'points', href: addresses.points, scope: 'read' },
  { name: 'People', icon: 'person', href: addresses.people, scope: 'read' },
  { name: 'Keys', icon: 'key', href: addresses.keys, scope: 'admin' },
  { name: 'Discord', icon: 'discord', href: addresses.discord, scope: 'read' },
  { name: 'Webhooks', icon: 'webhook', href: addresses.webhooks, scope: 'admin' },
  { name: 'Integrity', icon: 'integrity', href: addresses.integrity, scope: 'admin' },
  { name: 'Settings', icon: 'settings', href: addresses.settings, scope: 'read' },
];

export const isCurrent = (view: Destination, realm: string, path: string): boolean => {
  const href = view.href(realm);
  if (view.href === addresses.overview) return path === href;
  // An import begins at the list of members, and ends there.
  const isImport = view.href === addresses.members && path === addresses.import(realm);
  return isImport || `${path}/`.startsWith(`${href}/`);
};
