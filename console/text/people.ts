import type { Person } from '@realmkeep/client';

export type Role = Person['role'];

/** What people may do, in plain words; each includes those before it. */
export const ROLES = [
  { value: 'viewer', label: 'Viewer', hint: 'Sees everything in this realm, and changes nothing.' },
  { value: 'manager', label: 'Manager', hint: 'Also changes members, wallets and points.' },
  { value: 'admin', label: 'Admin', hint: 'Also people, keys, webhooks and settings.' },
] as const;

export const roleName = (role: Role): string =>
  role === 'owner' ? 'Owner' : (ROLES.find(({ value }) => value === role)?.label ?? role);

/** The id of a member has only digits. */
export const isPersonId = (id: string): boolean => /^p\w{12}$/.test(id);

/** Who did something: a person, whose id this is; null for a key or the service itself. */
export const personIn = (actor: string): string | null => /^person:(\w+)$/.exec(actor)?.[1] ?? null;

/** "Firefox on Linux" of what a browser says of itself. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown';
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent.includes(name));
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) =>
    userAgent.includes(name),
  );
  if (!browser) return userAgent.slice(0, 60);
  return `${browser === 'Edg' ? 'Edge' : browser}${system ? ` on ${system}` : ''}`;
}
