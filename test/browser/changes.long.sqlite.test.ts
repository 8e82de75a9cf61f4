import assert from 'node:assert/strict';
import { createOffer } from '../support/offers.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { balanceIs } from './day.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

/** What happens to changes in the console when something gets in their way. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function signedIn(key = ROOT_KEY): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(key);
  return reader;
}

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

browse('a wallet that was linked before is not unlinked by Undo', async () => {
  const realm = await service.realm('linked');
  await realm.member('1', 0, { displayName: 'Ann', wallets: [WALLET] });
  const reader = await signedIn();
  await reader.opens('/realms/linked/members/1?tab=wallets');
  await reader.press('Link a wallet');
  await reader.answer({ Address: WALLET.toLowerCase() }, 'Link');
  await reader.sees(/was linked to Ann already/);
  const undo = reader.page.locator('.toast').getByRole('button', { name: 'Undo' });
  assert.equal(await undo.count(), 0);
  await reader.leave();
});

browse('an undo whose answer is lost can be pressed again, and is done once', async () => {
  const realm = await service.realm('undone');
  await realm.member('1', 100, { displayName: 'Ann' });
  const reader = await signedIn();
  await reader.opens('/realms/undone/members/1');
  await reader.press('Add points');
  await reader.answer({ Points: '5' }, 'Add points');
  await balanceIs(reader, '105');
  await reader.page.route(/\/reversal$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  const undo = reader.page.locator('.toast').getByRole('button', { name: 'Undo' });
  await undo.click();
  await reader.sees('It may be undone: no answer came.');
  await reader.page.unroute(/\/reversal$/);
  await undo.click();
  await reader.sees(/^Undone: 5 points added/);
  assert.equal(await realm.balance('1'), 100);
  // The browser has reported the lost answers.
  await reader.page.context().close();
});

browse(
  'a kind that is renamed keeps what another admin has changed, and its old name',
  async () => {
    const realm = await service.realm('kinds');
    await realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: 'Gems' } });
    const reader = await signedIn();
    await reader.opens('/realms/kinds/points');
    await reader.page
      .getByRole('row', { name: /Gems/ })
      .getByRole('button', { name: 'Edit' })
      .click();
    await realm.expect(200, 'PATCH', '/points/gems', { body: { minimumBalance: -50 } });
    await reader.answer({ Name: 'Jewels' }, 'Save');
    await reader.sees('Jewels changed');
    const gems = async (): Promise<[string, number]> => {
      const { items } = (await realm.expect(200, 'GET', '/points')).json;
      const { name, minimumBalance } = items.find(({ id }: { id: string }) => id === 'gems');
      return [name, minimumBalance];
    };
    assert.deepEqual(await gems(), ['Jewels', -50]);
    await reader.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await reader.sees('Undone: Jewels changed');
    assert.deepEqual(await gems(), ['Gems', -50]);
    await reader.leave();
  },
);

browse('a key is copied on a page without a clipboard, and is known as one’s own', async () => {
  const realm = await service.realm('copied');
  const reader = await signedIn(realm.key);
  await reader.page.addInitScript(
    `Object.defineProperty(navigator, 'clipboard', { value: undefined })`,
  );
  await reader.opens('/realms/copied/keys');
  await reader.press('Issue a key');
  await reader.answer({ 'What it is for': 'Quest bot' }, 'Issue');
  const key = (await reader.dialog.locator('pre').textContent()) ?? '';
  await reader.press('Copy the key');
  await reader.page.getByRole('button', { name: 'Copied' }).waitFor();
  await reader.press('Done');
  await reader.press('Issue a key');
  const name = reader.dialog.getByLabel('What it is for');
  await name.press('Control+v');
  assert.equal(await name.inputValue(), key);
  await reader.press('Cancel');
  const own = reader.page.getByRole('row').filter({ hasText: 'Yours' });
  await own.getByRole('button').last().click();
  await reader.page.getByRole('menuitem', { name: 'Revoke' }).click();
  await reader.dialog.getByText('You are signed in with this key').waitFor();
  await reader.answer({}, 'Revoke');
  await reader.page.getByLabel('Key', { exact: true }).waitFor();
  await reader.page.context().close();
});

browse(
  'names in the activity follow their members, and are gone once they are erased',
  async () => {
    const realm = await service.realm('names');
    await realm.member('1', 0, { displayName: 'Ann' });
    const reader = await signedIn();
    await reader.opens('/realms/names/activity');
    const named = (name: string) => reader.page.locator('.events a', { hasText: name }).first();
    await named('Ann').waitFor();
    await realm.expect(200, 'PATCH', '/members/1', { body: { displayName: 'Zoe' } });
    await named('Zoe').waitFor();
    assert.equal(await named('Ann').count(), 0);
    await realm.expect(204, 'DELETE', '/members/1?erase=true');
    await named('Zoe').waitFor({ state: 'detached' });
    await reader.leave();
  },
);

browse('a hold is open by the clock of the service, whatever that of the reader says', async () => {
  const realm = await service.realm('clocks');
  await realm.member('1', 100);
  await realm.expect(201, 'POST', '/members/1/holds', { body: { tokens: 5 } });
  const reader = await signedIn();
  await reader.page.addInitScript(
    '{ const before = Date.now; Date.now = () => before() + 86_400_000 * 40; }',
  );
  await reader.opens('/realms/clocks/members/1?tab=holds');
  await reader.page.getByRole('tabpanel').getByRole('button', { name: 'Release' }).waitFor();
  await reader.leave();
});

browse('a chart that cannot be drawn says why, and is read with the arrows', async () => {
  const realm = await service.realm('charts');
  await realm.member('1', 100);
  const reader = await signedIn();
  const refusal = { code: 'overloaded', message: 'The service is overloaded.', status: 503 };
  // Without the id of a request it would be a proxy's.
  const headers = { 'x-request-id': 'overloaded-1' };
  await reader.page.route(/\/activity\?/, (route) =>
    route.fulfill({ status: 503, headers, json: refusal }),
  );
  await reader.goto('/realms/charts?kind=nothing');
  const notes = reader.page.getByRole('alert').filter({ hasText: 'overloaded' });
  // That of the days, and that of the weeks.
  await notes.nth(1).waitFor();
  assert.equal(await reader.page.getByRole('slider').count(), 0);
  await reader.page.unroute(/\/activity\?/);
  for (const left of [1, 0]) {
    await notes.nth(left).getByRole('button', { name: 'Try again' }).click();
    await notes.nth(left).waitFor({ state: 'detached' });
  }
  await reader.page.getByRole('slider', { name: 'New and returning members by week' }).waitFor();
  const days = reader.page.getByRole('slider', { name: 'Points issued and spent by day' });
  assert.match((await days.getAttribute('aria-valuetext')) ?? '', /^Today so far, Issued 100,/);
  await days.press('ArrowLeft');
  // The realm was created today.
  await reader.page.locator('.tip', { hasText: /Issued –/ }).waitFor();
  await days.press('End');
  await reader.page.locator('.tip', { hasText: /^Today so far/ }).waitFor();
  await reader.page.context().close();
});

browse('an amount that would be refused is not sent: the dialog says why', async () => {
  const realm = await service.realm('amounts');
  await realm.expect(200, 'PATCH', '/points/points', { body: { minimumBalance: 10 } });
  await realm.member('1', 100, { displayName: 'Ann' });
  await realm.expect(201, 'POST', '/members/1/holds', { body: { tokens: 5 } });
  const reader = await signedIn();
  await reader.opens('/realms/amounts/members/1');
  const reason = 'Only 85 points available: 5 are on hold, and the lowest allowed balance is 10.';
  const refuses = async (action: string): Promise<void> => {
    await reader.dialog.getByLabel('Points', { exact: true }).fill('86');
    await reader.dialog.getByText(reason).waitFor();
    await reader.dialog.getByRole('button', { name: action, disabled: true }).waitFor();
  };
  await reader.press('Give');
  await refuses('Give');
  await reader.press('Cancel');
  await reader.choose('More actions', 'Put on hold');
  await refuses('Put on hold');
  await reader.press('Cancel');
  await reader.press('Take points');
  await refuses('Take points');
  await inEveryLook(reader, 'an amount that is too large', 'dialog[open]');
  // As soon as they are there, they can be taken.
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  await reader.dialog.getByText('Ann: 101 → 15 points').waitFor();
  await reader.answer({}, 'Take points');
  await balanceIs(reader, '15');
  await reader.leave();
});

browse('a movement is undone as far as it can be, and the dialog says how far', async () => {
  const realm = await service.realm('spent');
  await realm.member('1', 0, { displayName: 'Ann' });
  for (const tokens of [500, -50]) {
    await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens } });
  }
  const reader = await signedIn();
  await reader.opens('/realms/spent/members/1');
  const added = reader.page.getByRole('row', { name: /\+500/ });
  await added.getByRole('button', { name: 'Undo' }).click();
  const points = reader.dialog.getByLabel('Points', { exact: true });
  assert.equal(await points.inputValue(), '450');
  await reader.dialog.getByText('Ann: 450 → 0 points').waitFor();
  const refusals = {
    '451': 'Only 450 points can be taken back.',
    '9999': 'Only 500 points of this movement are left to undo.',
  };
  for (const [typed, reason] of Object.entries(refusals)) {
    await points.fill(typed);
    await reader.dialog.getByText(reason).waitFor();
    await reader.dialog.getByRole('button', { name: 'Undo', disabled: true }).waitFor();
  }
  await reader.answer({ Points: '450' }, 'Undo');
  await balanceIs(reader, '0');
  await reader.leave();
});

browse('who is erased is marked so at once, and is named nowhere any more', async () => {
  const realm = await service.realm('erased');
  await realm.member('1', 0, { displayName: 'Annabel' });
  await realm.member('2', 0, { displayName: 'Ben' });
  const prize = { tokens: 50, description: 'Baking contest' };
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: prize });
  const gift = { recipientId: '2', tokens: 20, description: 'A cake for Ben' };
  const { json } = await realm.expect(200, 'PATCH', '/members/1/transfer', { body: gift });
  const [reader, other] = [await signedIn(), await signedIn()];
  const views = {
    statement: '/realms/erased/members/2',
    activity: '/realms/erased/activity',
    record: `/realms/erased/activity/${json.transactionId}`,
    page: '/realms/erased/members/1',
  };
  const saysNothing = async ({ page }: Reader, view: string): Promise<void> => {
    const text = await page.evaluate<string>('document.body.textContent + document.title');
    assert.doesNotMatch(text, /Annabel|contest|cake/, view);
  };
  await reader.opens(views.statement);
  await reader.sees('A cake for Ben');
  await other.opens(views.record);
  await other.sees(/cake/);
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true&erase=true');
  for (const isReloaded of [false, true]) {
    if (isReloaded) await Promise.all([reader.opens(views.statement), other.opens(views.record)]);
    const statement = reader.page.getByRole('table', { name: 'Statement' });
    await statement.getByText('details erased').waitFor();
    const link = statement.getByRole('link', { name: '1', exact: true });
    await link.waitFor({ state: 'detached' });
    await saysNothing(reader, views.statement);
    const record = other.page.getByRole('complementary', { name: 'Record' });
    await record.getByText('What it said of a person was erased').waitFor();
    await other.page.locator('li', { hasText: '50 points erased' }).waitFor();
    await saysNothing(other, views.record);
  }
  await other.opens(views.activity);
  await other.sees('Personal data of 1 erased');
  await saysNothing(other, views.activity);
  await other.opens(views.page);
  await other.sees('Who was removed has no page any more.');
  await saysNothing(other, views.page);
  await Promise.all([reader.leave(), other.leave()]);
});

browse('what was undone for an offer can be done again', async () => {
  const realm = await service.realm('shop');
  await createOffer(realm, 'hat', { gives: { points: 5 } });
  const reader = await signedIn();
  await reader.opens('/realms/shop/offers/hat');
  await reader.choose('More actions', 'Archive');
  await reader.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await reader.sees('Undone: The hat archived');
  await reader.choose('More actions', 'Archive');
  await reader.page.locator('.panel').getByText('Archived', { exact: true }).waitFor();
  assert.equal((await realm.expect(200, 'GET', '/offers/hat')).json.archived, true);
  await reader.leave();
});
