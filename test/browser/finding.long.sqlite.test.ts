import assert from 'node:assert/strict';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { ALICE, BOB } from './hostile-realm.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

/** Members by beginnings, views without any, and what stays from view to view. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = (): Promise<Reader> => Reader.signedIn(browser(), service.url, ROOT_KEY);

browse('the beginning of an id or of a wallet is enough to find a member', async () => {
  const realm = await service.realm('begin');
  const wallets = ['0x52908400098527886E0F7030069857D2E4169EE7'];
  await realm.member(ALICE, 0, { displayName: 'Alice', wallets });
  await realm.member(BOB, 0, { displayName: 'Bob' });
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens('/realms/begin/members');
  const rows = page.getByRole('table', { name: 'Members' }).getByRole('link');
  for (const [typed, found] of [
    ['8035', 'Alice'],
    ['1759', 'Bob'],
    ['0x5290840', 'Alice'],
    [BOB, 'Bob'],
    [wallets[0] ?? '', 'Alice'],
  ] as const) {
    await page.getByRole('searchbox').fill(typed);
    await rows.filter({ hasText: found }).waitFor();
    await rows.nth(1).waitFor({ state: 'detached' });
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('1759');
  await page.getByRole('option', { name: /Bob/ }).waitFor();
  await reader.leave();
});

browse('an empty view says what was asked for', async () => {
  const realm = await service.realm('empty');
  const reader = await signedIn();
  await reader.opens('/realms/empty/members');
  await reader.sees('No members yet');
  await reader.opens('/realms/empty/leaderboard');
  await reader.sees('Nobody is on this leaderboard yet');
  await realm.member('1');
  for (const [view, title] of [
    ['members?status=frozen', 'No frozen members'],
    ['members?search=zoe', 'Nobody found'],
    ['members?search=zoe&status=frozen', 'Nobody found who is frozen'],
    ['leaderboard?window=day', 'Nobody has earned points today'],
    ['leaderboard?window=week', 'Nobody has earned points this week'],
  ] as const) {
    await reader.opens(`/realms/empty/${view}`);
    await reader.page.getByRole('heading', { name: title, exact: true }).waitFor();
  }
  await reader.leave();
});

browse('a point type that was chosen stays, and the overview begins with one in use', async () => {
  const realm = await service.realm('types');
  await realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: 'Gems' } });
  await realm.expect(201, 'POST', '/points', { body: { id: 'gold', name: 'Gold' } });
  await realm.member('1', 0, { displayName: 'Ann' });
  const body = { tokens: 77, realmPointId: 'gems' };
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body });
  const reader = await signedIn();
  const { page } = reader;
  const type = page.getByLabel('Point type');
  const goes = async (view: string): Promise<void> => {
    await page.getByRole('link', { name: view, exact: true }).first().click();
    await page.getByRole('heading', { name: view, exact: true }).waitFor();
  };
  await reader.opens('/realms/types');
  await page.locator('.readout', { hasText: 'Issued 77' }).waitFor();
  assert.equal(await type.inputValue(), 'gems');
  const earners = page.getByRole('table', { name: 'Top earners this month' });
  await earners.getByRole('cell', { name: '77' }).waitFor();
  await type.selectOption('gold');
  await page.locator('.readout', { hasText: 'Issued 0' }).waitFor();
  for (const view of ['Members', 'Leaderboard', 'Overview']) {
    await goes(view);
    await page.waitForURL(/kind=gold/);
    assert.equal(await type.inputValue(), 'gold', view);
  }
  await goes('Members');
  await type.selectOption('points');
  await goes('Overview');
  await page.waitForURL(/kind=points/);
  assert.equal(await type.inputValue(), 'points');
  await reader.leave();
});

browse('a reference leads to its other movements, and a record says on whose behalf', async () => {
  const realm = await service.realm('refer');
  await realm.member(ALICE, 100, { displayName: 'Alice' });
  await realm.member(BOB, 0, { displayName: 'Bob' });
  const headers = { 'x-realmkeep-on-behalf-of': 'discord:42' };
  const said = { description: 'A hat', reference: 'order-7', metadata: { size: 4 } };
  await realm.expect(200, 'PATCH', `/members/${ALICE}/transfer`, {
    body: { recipientId: BOB, tokens: 30, ...said },
    headers,
  });
  await realm.expect(200, 'PATCH', `/members/${BOB}/tokenBalance`, {
    body: { tokens: -5, reference: said.reference },
  });
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens(`/realms/refer/members/${ALICE}`);
  await page.getByRole('link', { name: 'order-7' }).click();
  const rows = page.getByRole('table', { name: 'Movements' }).getByRole('row');
  await rows.filter({ hasText: '−5 points' }).waitFor();
  await inEveryLook(reader, 'the movements of a reference');
  await rows.filter({ hasText: 'A hat' }).getByRole('link').first().click();
  await page.getByText('on behalf of discord:42').waitFor();
  await inEveryLook(reader, 'a record with a reference');
  await reader.leave();
});
