import assert from 'node:assert/strict';
import { changeOffer, claim, createOffer } from '../support/offers.ts';
import { done } from '../support/points.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook, usesDialog, usesMenu } from './looks.ts';
import { Reader } from './reader.ts';
import { VIEWS } from './views.ts';

/** What only opens once something was done, or from within something else. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function at(view: string): Promise<Reader> {
  const reader = await Reader.signedIn(browser(), service.url, ROOT_KEY);
  await reader.visits(view);
  return reader;
}

browse('everybody can use every view of a realm in which nothing has happened', async () => {
  await service.realm('empty');
  const reader = await at('/realms/empty');
  const views = Object.values(VIEWS).flat();
  for (const view of views.filter((one) => !/^\/\w+\/\w/.test(one))) {
    await reader.visits(`/realms/empty${view}`);
    await inEveryLook(reader, `${view}, empty`, 'main');
  }
  await reader.leave();
});

browse('everybody can use what creates a realm or an owner, and what is shown once', async () => {
  await service.realm('secrets');
  const reader = await at('/realms');
  await reader.press('Create a realm');
  await usesDialog(reader, 'Create a realm');
  const isShownOnce = async (open: string, fields: Record<string, string>, action: string) => {
    await reader.press(open);
    await reader.answer(fields, action);
    await reader.dialog.locator('pre').waitFor();
    await inEveryLook(reader, `${open}: shown once`, 'dialog[open]');
    await reader.press('Done');
  };
  await reader.visits('/people');
  await inEveryLook(reader, 'the owners');
  await isShownOnce('Invite an owner', { Name: 'Olive' }, 'Invite');
  await reader.visits('/realms/secrets/people');
  await isShownOnce('Invite a person', { Name: 'Max' }, 'Invite');
  await reader.visits('/realms/secrets/keys');
  await isShownOnce('Issue a key', { 'What it is for': 'Bot' }, 'Issue');
  await reader.visits('/realms/secrets/webhooks');
  await isShownOnce('Add a webhook', { Address: 'http://127.0.0.1:1/' }, 'Add');
  await reader.page.getByRole('link', { name: 'http://127.0.0.1:1/' }).click();
  await reader.press('Send a test');
  await reader.sees('did not arrive');
  await inEveryLook(reader, 'a webhook', 'main');
  const items = ['Edit', 'Send events again', 'Replace the secret', 'Delete'];
  await usesMenu(reader, 'More actions', items);
  await reader.leave();
});

async function crowd(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  for (const [index, name] of ['Ann', 'Ben', 'Cid'].entries()) {
    await realm.member(String(index + 1), 10, { displayName: name });
  }
  return realm;
}

browse('everybody can use what is done to many members, and what saves a list', async () => {
  await crowd('many');
  const reader = await at('/realms/many/members');
  const { page } = reader;
  await page.getByLabel('Select the rows shown').check();
  for (const name of ['Add points', 'Take points']) {
    await reader.press(name);
    await usesDialog(reader, `${name}: many`);
  }
  await usesMenu(reader, 'More for the selected members', ['Tag', 'Freeze', 'Unfreeze']);
  await reader.choose('Views', 'Save this view…');
  await usesDialog(reader, 'Save this view');
  const slow = Promise.withResolvers<void>();
  await page.route(/members\?.*limit=500/, async (route) => {
    await slow.promise;
    await route.continue().catch(() => {});
  });
  await reader.press('Export');
  await usesDialog(reader, 'Export');
  slow.resolve();
  await reader.leave();
});

browse('everybody can use a raffle, before and after its winners are drawn', async () => {
  const realm = await crowd('raffle');
  await createOffer(realm, 'cup', { costs: { points: 1 } });
  for (const id of ['1', '2', '3']) await done(claim(realm, 'cup', id));
  await changeOffer(realm, 'cup', { closesAt: new Date().toISOString() });
  const reader = await at('/realms/raffle/offers/cup');
  await reader.press('Draw winners');
  await inEveryLook(reader, 'Draw winners', 'dialog[open]');
  await reader.answer({ Winners: '2' }, 'Draw');
  await reader.sees('List hash');
  await inEveryLook(reader, 'who has won', 'main');
  await reader.leave();
});

browse(
  'everybody can use what an import and a check of wallets or of the journal say',
  async () => {
    await crowd('said');
    const reader = await at('/realms/said/import');
    const { page } = reader;
    const buffer = Buffer.from('id,name,points\n1,Ann,5\n4,Dan,5\nx,Eve,5');
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer };
    await page.locator('input[type=file]').setInputFiles(file);
    await reader.press('Add 2 members');
    await page.getByRole('link', { name: 'Show the members' }).waitFor();
    await inEveryLook(reader, 'the result of an import', 'main');
    await reader.press('Undo this import');
    await usesDialog(reader, 'Undo this import');
    await reader.visits('/realms/said/wallets');
    await page.getByLabel('Wallets').fill(`0x${'7'.repeat(40)}\nnobody`);
    await reader.press('Check 2 wallets');
    await reader.sees('0 of 2 wallets belong to members');
    await inEveryLook(reader, 'wallets that were checked', 'main');
    await reader.visits('/realms/said/integrity');
    await reader.press('Check now');
    await reader.sees('Everything adds up');
    await inEveryLook(reader, 'a check', 'main');
    await reader.leave();
  },
);

browse('everybody can use what says that something is done, or that nothing can be', async () => {
  await crowd('notices');
  const reader = await at('/realms/notices/members/1');
  const { page } = reader;
  await reader.press('Add points');
  await reader.answer({ Points: '5' }, 'Add points');
  await reader.sees('5 points added to Ann');
  await inEveryLook(reader, 'what was done', '.toasts');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Leaderboard', exact: true }).first().click();
  await reader.sees('The service cannot be reached.');
  await inEveryLook(reader, 'without the service');
  const faults = page.locator('main [role=alert], main .problem');
  assert.ok((await faults.count()) <= 1, 'one view says it once');
  await page.context().close();
});
