import assert from 'node:assert/strict';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { ManagersDay } from './day.ts';
import { hostileRealm } from './hostile-realm.ts';
import { canUseEverything, PHONE } from './looks.ts';
import { HOSTILE, Reader } from './reader.ts';
import { actionsIn, VIEWS } from './views.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

browse('a manager’s day at a desk begins with the link of the first start', async () => {
  const link = await service.consoleLink();
  const reader = await Reader.open(browser(), link, { colorScheme: 'light' });
  await reader.isIn();
  assert.doesNotMatch(reader.page.url(), /code/, 'the code is not in the history');
  const late = await Reader.open(browser(), link);
  await late.page.getByRole('alert').waitFor();
  await late.page.getByLabel('Key').waitFor();
  await late.leave();
  await ManagersDay.of(reader, service, { name: 'Desk', rows: 5_000 });
});

browse('a manager’s day on a phone, in the dark, by a key', async () => {
  const reader = await Reader.open(browser(), service.url, {
    viewport: PHONE,
    colorScheme: 'dark',
  });
  await reader.signIn(ROOT_KEY);
  await ManagersDay.of(reader, service, {
    name: 'Phone',
    rows: 500,
    look: (view) => canUseEverything(reader, view),
  });
});

browse('a second user, whose key only reads, sees everything and can change nothing', async () => {
  const realm = await hostileRealm(service, 'acme');
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(await realm.issueKey(['read'], { name: HOSTILE }));
  for (const view of VIEWS.read) {
    await reader.visits(`/realms/acme${view}`);
    assert.deepEqual(await actionsIn(reader), [], view);
    await reader.looksRight(view);
  }
  const closed = [...VIEWS.write, ...VIEWS.admin].map((view) => `/realms/acme${view}`);
  for (const address of ['/realms', ...closed]) {
    await reader.goto(address);
    await reader.sees('There is nothing at this address');
    assert.deepEqual(await actionsIn(reader), [], address);
  }
  for (const name of ['Keys', 'Webhooks', 'Integrity', 'Import', 'Realms']) {
    assert.equal(await reader.page.getByRole('link', { name, exact: true }).count(), 0, name);
  }
  await reader.leave();
});
