import assert from 'node:assert/strict';
import { done, give, reverse } from '../support/points.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook, PHONE } from './looks.ts';
import { Reader } from './reader.ts';

/** What is different on a small screen. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function at(view: string): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url, { viewport: PHONE });
  await reader.signIn(ROOT_KEY);
  await reader.visits(view);
  return reader;
}

browse('one sees which realm it is, and “More” is marked while a view of it is shown', async () => {
  await service.realm('more');
  const reader = await at('/realms/more/members');
  const { page } = reader;
  const more = page.locator('.bottom').getByRole('button', { name: 'More' });
  assert.equal(await more.getAttribute('aria-current'), null);
  await page.locator('.bar').getByText('more', { exact: true }).waitFor();
  await reader.choose('More', 'Keys');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  assert.equal(await more.getAttribute('aria-current'), 'true');
  await more.click();
  await inEveryLook(reader, 'the menu More', '.menu-items');
  const current = page.locator('.menu-items [aria-current=page]');
  assert.deepEqual(await current.allTextContents(), ['Keys']);
  await page.keyboard.press('Escape');
  await page.locator('.bottom').getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('heading', { name: 'Activity', exact: true }).waitFor();
  assert.equal(await more.getAttribute('aria-current'), null);
  await reader.leave();
});

browse('one sees why rows of a list are left out, before and after its import', async () => {
  const realm = await service.realm('faults');
  await realm.member('7');
  const reader = await at('/realms/faults/import');
  const { page } = reader;
  const lines = ['id,name,handle,wallet,points', 'x,Ann,ann,,5', '7,Ben,ben,,5', '8,Cid,cid,,5'];
  const file = { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  const isInSight = async (row: RegExp, reason: string): Promise<void> => {
    const said = page.getByRole('row', { name: row }).getByText(reason).filter({ visible: true });
    const { x, width } = (await said.boundingBox()) ?? assert.fail(`${reason} is not shown`);
    assert.ok(x >= 0 && x + width <= PHONE.width, `it reaches from ${x} to ${x + width}`);
  };
  await isInSight(/x, Ann, ann, 5/, 'is not an id');
  await reader.looksRight('the preview');
  await reader.press('Add 2 members');
  await page.getByRole('link', { name: 'Show the members' }).waitFor();
  await isInSight(/x, Ann, ann, 5/, 'is not an id');
  await isInSight(/7, Ben, ben, 5/, 'already');
  await reader.looksRight('the result');
  await reader.leave();
});

browse('a statement says all of an undo and of a reference', async () => {
  const realm = await service.realm('undone');
  await realm.member('1', 100, { displayName: 'Ann of the seven seas' });
  await realm.member('2', 0, { displayName: 'Ben of the northern woods' });
  const reference = `order-${'7'.repeat(100)}`;
  const said = { description: 'A hat with feathers', reference };
  const { transactionId } = await done(give(realm, '1', '2', 30, said));
  await done(reverse(realm, transactionId, { description: 'Wrong size' }));
  const reader = await at('/realms/undone/members/1');
  const { page } = reader;
  const captions = page.locator('.two-lines .caption:visible');
  const fits = async (text: string): Promise<void> => {
    await captions.filter({ hasText: text }).waitFor();
    const widths = await captions.evaluateAll((all) =>
      all.map(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth] as const),
    );
    for (const [whole, shown] of widths) assert.ok(whole <= shown, `${shown} px of ${whole} px`);
  };
  await fits('reverses “A hat with feathers”');
  await fits(reference);
  await reader.looksRight('the statement of an undo');
  await page.getByRole('link', { name: reference }).click();
  await page.getByRole('table', { name: 'Movements' }).waitFor();
  await fits('to Ben of the northern woods');
  await reader.looksRight('the movements of a reference');
  await reader.leave();
});
