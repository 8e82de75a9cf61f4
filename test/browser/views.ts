import { ALICE, BOB } from './hostile-realm.ts';
import type { Reader } from './reader.ts';

/** The views of a realm, by the scope that opens them. */
export const VIEWS = {
  read: [
    '',
    '/members',
    `/members/${ALICE}`,
    `/members/${BOB}?tab=claims`,
    `/members/${ALICE}?tab=holds`,
    `/members/${ALICE}?tab=wallets`,
    `/members/${ALICE}?tab=details`,
    '/activity',
    '/activity/1',
    '/offers',
    '/offers/mystery',
    '/claims',
    '/leaderboard',
    '/wallets',
    '/points',
    '/people',
    '/discord',
    '/settings',
  ],
  write: ['/import'],
  admin: ['/keys', '/webhooks', '/integrity'],
};

/** The buttons of each view that open a dialog. */
export const DIALOGS: Record<string, string[]> = {
  '/members': ['Filter', 'Award a list', 'Add member'],
  '/activity': ['Filter'],
  [`/members/${ALICE}`]: ['Add points', 'Take points', 'Give', 'Undo'],
  [`/members/${ALICE}?tab=holds`]: ['Capture', 'Release'],
  [`/members/${ALICE}?tab=wallets`]: ['Link a wallet', 'Prove', 'Unlink'],
  '/offers': ['Add an offer'],
  '/offers/mystery': ['Edit', 'Reject'],
  '/points': ['Add a point type', 'Edit'],
  '/people': ['Invite a person'],
  '/keys': ['Issue a key'],
  '/webhooks': ['Add a webhook'],
  '/settings': ['Archive', 'Delete'],
};

/** The items of menus that open a dialog, by view and menu. */
export const MENUS: Record<string, { menu: string | RegExp; items: string[] }> = {
  '': { menu: 'Root key', items: [] },
  '/members': { menu: 'Columns', items: [] },
  [`/members/${ALICE}`]: {
    menu: 'More actions',
    items: ['Put on hold', 'Edit', 'Freeze', 'Remove from the realm'],
  },
  '/people': { menu: /^Actions for <img/, items: ['Change', 'New link', 'Sessions', 'Remove'] },
  '/keys': { menu: /^Actions for <img/, items: ['Replace', 'Revoke'] },
};

/** Buttons that only look, sort or choose what is shown have no part in this. */
const LOOKING = [
  'Close',
  'Full page',
  'Previous (K)',
  'Next (J)',
  'Columns',
  'Filter',
  'Views',
  'Copy for Discord',
  'Copy',
  'Export',
  'Check wallets',
  'Dismiss until it changes',
];

/** What can be done in the view that is shown. */
export async function actionsIn({ page }: Reader): Promise<string[]> {
  const names = await page.evaluate<string[]>(`
    [...document.querySelectorAll('main button')]
      .filter((one) => !one.matches('.segments button, th button, [role=tab]'))
      .map((one) => one.ariaLabel ?? (one.textContent || one.title))`);
  return names.filter((name) => !LOOKING.includes(name) && !/^(Export the|More of) /.test(name));
}
