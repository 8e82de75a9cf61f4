import { before } from 'node:test';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { withoutChromium } from './chromium.ts';
import { hostileRealm } from './hostile-realm.ts';
import { inEveryLook, usesDialog, usesMenu } from './looks.ts';
import { Reader } from './reader.ts';
import { DIALOGS, MENUS, VIEWS } from './views.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

before(async () => {
  if (!withoutChromium) await hostileRealm(service, 'acme');
});

browse('everybody can use every view, with whatever opens in it', async () => {
  const reader = await Reader.open(browser(), service.url);
  await inEveryLook(reader, 'the sign-in');
  await reader.signIn(ROOT_KEY);
  for (const view of ['/realms', '/sessions', '/nowhere']) {
    await reader.visits(view);
    await inEveryLook(reader, view);
  }
  for (const view of Object.values(VIEWS).flat()) {
    await reader.visits(`/realms/acme${view}`);
    // The frame stays the same around all views of a realm.
    await inEveryLook(reader, view, view === '' ? 'html' : 'main');
    for (const name of DIALOGS[view] ?? []) {
      await reader.press(name);
      await usesDialog(reader, `${view}: ${name}`);
    }
    const { menu = '', items = [] } = MENUS[view] ?? {};
    if (menu) await usesMenu(reader, menu, items);
  }
  await reader.leave();
});
