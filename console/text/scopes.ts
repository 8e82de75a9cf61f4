/** What a key may do, in plain words; each includes those before it. */
export const SCOPES = [
  { value: 'read', label: 'Read', hint: 'It sees everything in this realm, and changes nothing.' },
  { value: 'write', label: 'Read and change', hint: 'Members, wallets, points and claims.' },
  {
    value: 'admin',
    label: 'Everything',
    hint: 'Offers, keys, webhooks and settings of this realm, too.',
  },
] as const;

export type Scope = (typeof SCOPES)[number]['value'];

/** The widest of them in words. */
export const scopeName = (scopes: readonly Scope[]): string =>
  SCOPES.findLast(({ value }) => scopes.includes(value))?.label ?? '';
