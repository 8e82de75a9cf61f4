import assert from 'node:assert/strict';
import { before } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { withoutChromium } from './chromium.ts';
import { ALICE, hostileRealm } from './hostile-realm.ts';
import { inEveryLook } from './looks.ts';
import { HOSTILE, Reader } from './reader.ts';
import { actionsIn } from './views.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function signedIn(key: string): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(key);
  return reader;
}

before(async () => {
  if (!withoutChromium) await hostileRealm(service, 'acme');
});

async function at(view: string): Promise<Reader> {
  const reader = await signedIn(ROOT_KEY);
  await reader.visits(view);
  return reader;
}

const isFocused = (reader: Reader, element: Locator): Promise<void> =>
  element.and(reader.page.locator(':focus')).waitFor();

browse('a list from a stranger is shown before it is imported', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.visits('/realms/acme/import');
  const buffer = Buffer.from(`id,name,${HOSTILE}\n12,${HOSTILE},${HOSTILE}\nx,${HOSTILE},1`);
  const file = { name: `${HOSTILE}.csv`, mimeType: 'text/csv', buffer };
  await reader.page.locator('input[type=file]').setInputFiles(file);
  await reader.sees(/^1 row/);
  await inEveryLook(reader, 'the preview');
  await reader.leave();
});

browse('nothing is offered that a frozen member or an archived realm would refuse', async () => {
  const realm = await service.realm('still');
  await realm.member(ALICE, 50, { displayName: 'Alice' });
  await realm.expect(201, 'POST', `/members/${ALICE}/holds`, { body: { tokens: 5 } });
  await realm.expect(200, 'PATCH', `/members/${ALICE}`, { body: { status: 'frozen' } });
  const reader = await signedIn(ROOT_KEY);
  const offers = async (tab: string, expected: string[]): Promise<void> => {
    await reader.opens(`/realms/still/members/${ALICE}${tab}`);
    const found = await actionsIn(reader);
    assert.deepEqual(found.slice(found.indexOf('Add member') + 1), expected);
  };
  await offers('', ['Unfreeze', 'More actions']);
  await offers('?tab=holds', ['Unfreeze', 'More actions', 'Release']);
  await reader.choose('More actions', 'Edit');
  await service.expect(200, 'POST', realm.path('/archive'));
  await reader.sees('still was archived: it can only be read now.');
  assert.equal(await reader.dialog.count(), 0);
  await offers('', []);
  await offers('?tab=holds', []);
  await reader.leave();
});

browse(
  'an offer is added as it reads; a key delivers a claim, and another one rejects',
  async () => {
    const realm = await service.realm('shop');
    for (const id of ['1', '2']) await realm.member(id, 600, { displayName: `Person ${id}` });
    const reader = await at('/realms/shop/offers');
    await reader.press('Add an offer');
    const card = reader.dialog.getByRole('region', { name: 'How members read it' });
    await reader.dialog.getByLabel('Name', { exact: true }).fill('Role: Gold');
    await reader.dialog.getByLabel('Costs').fill('500');
    await reader.dialog.getByLabel('Somebody delivers it').check();
    await card.getByText('Costs 500 points').waitFor();
    await reader.answer({ 'How many there are': '2' }, 'Add');
    await reader.page.waitForURL(/offers\/role-gold$/);
    for (const memberId of ['1', '2']) {
      await realm.expect(201, 'POST', '/offers/role-gold/claims', { body: { memberId } });
    }
    await reader.page.locator('.offer-card').getByText('Sold out').waitFor();
    await reader.visits('/realms/shop/claims');
    const rows = reader.page.getByRole('table', { name: 'Claims' }).locator('tbody tr');
    await rows.filter({ hasText: 'Person 1' }).waitFor();
    await reader.page.keyboard.press('d');
    await rows.first().getByText('Done').filter({ visible: true }).waitFor();
    await reader.page.keyboard.press('r');
    await reader.dialog.getByText('Person 1: 100 → 600 points').waitFor();
    await inEveryLook(reader, 'a rejection', 'dialog[open]');
    await reader.page.keyboard.press('Enter');
    await rows.nth(1).getByText('Rejected').filter({ visible: true }).waitFor();
    await reader.leave();
    const looking = await signedIn(await realm.issueKey(['read']));
    for (const view of ['offers', 'offers/role-gold', 'claims?status=all']) {
      await looking.opens(`/realms/shop/${view}`);
      assert.deepEqual(await actionsIn(looking), [], view);
    }
    await looking.leave();
  },
);

browse('the focus comes back to where it was', async () => {
  const reader = await at('/realms/acme/members');
  const { page } = reader;
  const keys = page.keyboard;
  const alice = page.getByRole('link', { name: 'Alice' });
  await alice.press('Enter');
  await isFocused(reader, page.getByRole('complementary', { name: 'Alice' }));
  const more = page.getByRole('button', { name: 'More actions' });
  await more.press('Enter');
  await isFocused(reader, page.getByRole('menuitem', { name: 'Put on hold' }));
  await keys.press('ArrowUp');
  await isFocused(reader, page.getByRole('menuitem', { name: 'Remove' }));
  await keys.press('Escape');
  await isFocused(reader, more);
  await more.press('Enter');
  await keys.press('ArrowDown');
  await keys.press('Enter');
  await isFocused(reader, reader.dialog.getByLabel('Name', { exact: true }));
  await keys.press('Escape');
  await isFocused(reader, more);
  await keys.press('Escape');
  await isFocused(reader, alice);
  const leaderboard = page.getByRole('link', { name: 'Leaderboard' }).first();
  await leaderboard.press('Enter');
  await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
  await isFocused(reader, leaderboard);
  await reader.leave();
});

browse('columns are switched on and off in a menu that stays open', async () => {
  const reader = await at('/realms/acme/members');
  await reader.press('Columns');
  const wallets = reader.page.getByRole('menuitemcheckbox', { name: 'Wallets' });
  assert.equal(await wallets.getAttribute('aria-checked'), 'true');
  await wallets.click();
  await reader.page.getByRole('menuitemcheckbox', { name: 'Wallets', checked: false }).waitFor();
  assert.equal(await reader.page.getByRole('columnheader', { name: 'Wallets' }).count(), 0);
  await reader.leave();
});

browse('whoever has scrolled in a statement stays there while points arrive', async () => {
  const realm = await service.realm('busy');
  await realm.member(ALICE);
  const entries = Array.from({ length: 180 }, (_, index) => ({
    memberId: ALICE,
    tokens: index + 1,
  }));
  await realm.expect(200, 'PATCH', '/members/tokenBalance', { body: { entries } });
  const reader = await at(`/realms/busy/members/${ALICE}`);
  const statement = reader.page.getByRole('table', { name: 'Statement' });
  const first = statement.getByRole('row', { name: /\+1 / });
  // Pages are loaded as one scrolls.
  while ((await first.count()) === 0) {
    await reader.page.mouse.move(1_200, 600);
    await reader.page.mouse.wheel(0, 2_000);
  }
  await first.scrollIntoViewIfNeeded();
  const [was, rows] = await place();
  assert.ok(Math.abs(rows - 180) < 1, `${rows} rows fit into the table`);
  await realm.expect(200, 'PATCH', `/members/${ALICE}/tokenBalance`, { body: { tokens: 9_000 } });
  await reader.page.locator('.panel .big', { hasText: '25,290' }).waitFor();
  const [is] = await eventually(place, ([, count]) => count > 180.5);
  assert.ok(Math.abs(is - was) < 2, `the row moved from ${was} to ${is}`);
  await reader.leave();

  async function place(): Promise<[number, number]> {
    const box = await first.boundingBox();
    return [box?.y ?? Number.NaN, await reader.page.evaluate<number>(ROWS)];
  }
});

/** How many rows fit into the statement, with those that are left out. */
const ROWS = `(() => {
  const body = document.querySelector('[aria-label=Statement] tbody');
  const row = body.querySelector('tr:not(.spacer)');
  return body.getBoundingClientRect().height / row.getBoundingClientRect().height;
})()`;
