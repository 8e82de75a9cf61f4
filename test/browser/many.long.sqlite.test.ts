import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before } from 'node:test';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook, PHONE } from './looks.ts';
import { Reader } from './reader.ts';

/** Many members at once, and finding them by several filters, as managers do. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();
const WALLET = `0x${'7'.repeat(40)}`;
const SIZES = [{ width: 1440, height: 900 }, PHONE];
let realm: TestRealm;

before(async () => {
  realm = await service.realm('crowd');
  const members = Array.from({ length: 60 }, (_, index) => ({
    id: String(80351110224678000n + BigInt(index)),
    username: `person${index}`,
    displayName: index > 57 ? 'Sam Twin' : `Person ${index}`,
    tags: index % 10 === 0 ? ['vip'] : [],
    wallets: index === 39 ? [WALLET] : [],
    balances: { points: index },
  }));
  await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  const body = { status: 'frozen' };
  await realm.expect(200, 'PATCH', '/members/80351110224678007', { body });
});

const balance = async (index: number): Promise<number> => {
  const id = 80351110224678000n + BigInt(index);
  return (await realm.expect(200, 'GET', `/members/${id}`)).json.tokenBalance;
};

async function opens(size: (typeof SIZES)[number], path = ''): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url, { viewport: size });
  await reader.signIn(ROOT_KEY);
  await reader.opens(`/realms/crowd/members${path}`);
  return reader;
}

/** 37 by names, and one each by id, mention and wallet; and two who are not clear. */
const ATTENDEES = [
  ...Array.from({ length: 37 }, (_, index) =>
    index % 2 === 0 ? `Person ${index}` : `@person${index}`,
  ),
  '80351110224678037',
  '<@80351110224678038>',
  WALLET,
  'Sam Twin',
  'Nobody Known',
].join('\n');

for (const size of SIZES) {
  browse(
    `40 attendees are awarded at once, and all of it undone, at ${size.width} px`,
    async () => {
      const reader = await opens(size);
      const { page } = reader;
      await reader.press('Award a list');
      await inEveryLook(reader, 'the list to award', 'dialog[open]');
      await reader.answer({ Who: ATTENDEES }, 'Look them up');
      await reader.sees('40 recognised, 1 to choose, 1 unknown');
      await inEveryLook(reader, 'who was recognised', 'dialog[open]');
      await page.getByLabel('Who is Sam Twin').selectOption({ index: 1 });
      await reader.dialog.getByLabel('Points').fill('25');
      await reader.dialog.getByLabel('Reason').fill('Community call');
      await reader.sees('41 members get 25 points each, 1,025 points in all.');
      await page.getByLabel('Who is Sam Twin').selectOption({ index: 0 });
      await reader.sees('40 members get 25 points each');
      const before = [await balance(0), await balance(39)];
      await reader.dialog.getByRole('button', { name: 'Award them' }).click();
      await reader.sees('39 of 40 members, 1 refused');
      await inEveryLook(reader, 'what was awarded', 'dialog[open]');
      const refused = reader.dialog.getByRole('list', { name: 'Refused' });
      assert.match(await refused.innerText(), /Person 7.*frozen/s);
      assert.deepEqual(
        [await balance(0), await balance(39)],
        before.map((one) => one + 25),
      );
      await reader.press('Undo all of it');
      await reader.sees('Undone');
      await reader.sees('39 of 39 members');
      assert.deepEqual([await balance(0), await balance(39), await balance(7)], [...before, 7]);
      await reader.press('Done');
      await reader.dialog.waitFor({ state: 'detached' });
      await reader.leave();
    },
  );
}

browse('a column of amounts gives each their own', async () => {
  const reader = await opens(PHONE);
  await reader.press('Award a list');
  await reader.answer({ Who: 'name,points\nPerson 50,5\nPerson 51\t1,000' }, 'Look them up');
  await reader.sees('2 members get 1,005 points in all.');
  await reader.dialog.getByRole('button', { name: 'Award them' }).click();
  await reader.sees('2 of 2 members');
  assert.deepEqual([await balance(50), await balance(51)], [55, 1051]);
  await reader.press('Undo all of it');
  await reader.sees('Undone');
  assert.deepEqual([await balance(50), await balance(51)], [50, 51]);
  await reader.leave();
});

for (const size of SIZES) {
  browse(
    `members are found by several filters, counted and exported, at ${size.width} px`,
    async () => {
      const reader = await opens(size);
      const { page } = reader;
      await reader.sees('60 members');
      await reader.press('Filter');
      await inEveryLook(reader, 'the filters', 'dialog[open]');
      await reader.answer({ 'Points from': '15', Tags: 'vip' }, 'Show');
      await reader.sees('4 of 60 members');
      assert.match(page.url(), /least=15/);
      assert.match(page.url(), /tags=vip/);
      const saved = page.waitForEvent('download');
      await reader.press('Export');
      const file = readFileSync(await (await saved).path(), 'utf8');
      assert.deepEqual(file.match(/person\d+/g), ['person20', 'person30', 'person40', 'person50']);
      await reader.choose('Views', 'Save this view…');
      await reader.answer({ Name: 'Rich VIPs' }, 'Save');
      await page.getByRole('button', { name: 'Tags vip' }).click();
      await reader.sees('45 of 60 members');
      await reader.choose('Views', 'Rich VIPs');
      await reader.sees('4 of 60 members');
      await reader.leave();
    },
  );
}

browse('with the keyboard alone, a range is selected, tagged and untagged', async () => {
  const reader = await opens(SIZES[0] as (typeof SIZES)[number]);
  const { page } = reader;
  const box = (index: number) => page.getByLabel(`Select Person ${index}`, { exact: true });
  await box(1).focus();
  await page.keyboard.press('Space');
  await reader.sees('1 selected');
  const isAt = (index: number): Promise<boolean> =>
    box(index).evaluate((node) => node.ownerDocument.activeElement === node);
  while (!(await isAt(4))) await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Space');
  await reader.sees('4 selected');
  await inEveryLook(reader, 'the selection', '.selection-bar');
  const more = page.getByRole('button', { name: 'More for the selected members' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Tag' }).press('Enter');
  await page.keyboard.type('new here, vip');
  await reader.sees('4 of 4 members will change.');
  // What somebody else changes meanwhile stays.
  const other = '/members/80351110224678002';
  await realm.expect(200, 'PATCH', other, { body: { tags: ['theirs'] } });
  await page.keyboard.press('Enter');
  await reader.sees('4 of 4 members');
  const tagged = async (): Promise<number> =>
    (await realm.expect(200, 'GET', '/members?tags=new%20here,vip')).json.items.length;
  assert.equal(await tagged(), 4);
  await page.getByRole('button', { name: 'Undo all of it' }).press('Enter');
  await reader.sees('Undone');
  assert.equal(await tagged(), 0);
  assert.deepEqual((await realm.expect(200, 'GET', other)).json.tags, ['theirs']);
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await reader.leave();
});

browse('all that match are selected, and what is refused is said beforehand', async () => {
  const reader = await opens(SIZES[0] as (typeof SIZES)[number], '?most=9');
  const { page } = reader;
  await reader.sees('10 of 60 members');
  await page.getByLabel('Select the rows shown').check();
  await reader.sees('10 selected');
  await reader.press('Take points');
  await reader.dialog.getByLabel('Points').fill('3');
  await reader.sees('6 members give 3 points each, 18 points in all.');
  await reader.sees('4 members will be refused:');
  await inEveryLook(reader, 'points of many', 'dialog[open]');
  await reader.dialog.getByRole('button', { name: 'Take points' }).click();
  await reader.sees('6 of 10 members, 4 refused');
  assert.deepEqual([await balance(2), await balance(5)], [2, 2]);
  await reader.press('Undo all of it');
  await reader.sees('Undone');
  assert.equal(await balance(5), 5);
  await reader.press('Done');
  await reader.leave();
});

browse('a list can be changed once it is shown who was not recognised', async () => {
  const reader = await opens(PHONE);
  await reader.press('Award a list');
  await reader.answer({ Who: 'Person 50,5\nPersn 51,6\nPerson 50,7' }, 'Look them up');
  await reader.sees('1 member gets 5 points in all.');
  await reader.sees('1 entry left out.');
  await reader.sees('1 entry left out, of members named before.');
  await reader.press('Change the list');
  const list = reader.dialog.getByLabel('Who', { exact: true });
  await list.fill((await list.inputValue()).replace('Persn', 'Person'));
  await reader.press('Look them up');
  await reader.sees('2 members get 11 points in all.');
  await reader.press('Cancel');
  await reader.leave();
});

browse('what is refused as a whole leads back to what was typed', async () => {
  const reader = await opens(SIZES[0] as (typeof SIZES)[number]);
  await reader.press('Award a list');
  await reader.answer({ Who: 'Person 50' }, 'Look them up');
  await reader.answer({ Points: '5', Reason: 'x'.repeat(501) }, 'Award them');
  await reader.sees('Stopped');
  assert.equal(await reader.dialog.getByRole('button', { name: 'Continue' }).count(), 0);
  await reader.press('Back');
  assert.equal(await reader.dialog.getByLabel('Points').inputValue(), '5');
  await reader.answer({ Reason: 'Community call' }, 'Award them');
  await reader.sees('1 of 1 member');
  await reader.press('Undo all of it');
  await reader.sees('Undone');
  assert.equal(await balance(50), 50);
  await reader.leave();
});

browse('nothing is undone before it is known what was done', async () => {
  const reader = await opens(SIZES[0] as (typeof SIZES)[number]);
  const { page } = reader;
  for (const index of [1, 2, 3, 4, 5]) {
    await page.getByLabel(`Select Person ${index}`, { exact: true }).check();
  }
  await reader.choose('More for the selected members', 'Tag');
  const last = /members\/80351110224678005$/;
  await page.route(last, async (route) => {
    const answer = await route.fetch();
    await (route.request().method() === 'PATCH'
      ? route.abort()
      : route.fulfill({ response: answer }));
  });
  await reader.answer({ Tags: 'lost' }, 'Add tags');
  await reader.sees('No answer came, so it may have been done.');
  await reader.sees('4 of 5 members');
  assert.equal(await reader.dialog.getByRole('button', { name: 'Undo all of it' }).count(), 0);
  await page.unroute(last);
  await reader.press('Continue');
  await reader.sees('5 of 5 members');
  await reader.press('Undo all of it');
  await reader.sees('Undone');
  assert.deepEqual((await realm.expect(200, 'GET', '/members?tags=lost')).json.items, []);
  // The browser has reported the lost answer.
  await page.context().close();
});
