import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { launchChromium, withoutChromium } from './chromium.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const REALM = '/api/v4/realms/acme';
const ALICE = '80351110224678912';
const BOB = '175928847299117063';
/** It would run if it were not escaped, and would read as another name if it were not shown. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202egpj.exe';

const VIEWS = [
  '',
  '/members',
  `/members/${ALICE}`,
  `/members/${ALICE}?tab=wallets`,
  `/members/${ALICE}?tab=details`,
  '/import',
  '/activity',
  '/activity/1',
  '/leaderboard',
  '/wallets',
  '/points',
  '/keys',
  '/webhooks',
  '/integrity',
  '/settings',
];

let browser: Browser;
before(async () => {
  if (!withoutChromium) browser = await launchChromium();
});
after(() => browser?.close());

test('a manager signs in, makes a realm, enrols, awards and undoes', {
  skip: withoutChromium,
}, async () => {
  const reader = await Reader.open(browser, service.url);
  await reader.canUseEverything('sign-in');
  await reader.signIn(ROOT_KEY);
  await reader.press('Create a realm');
  await reader.answer({ Name: 'Acme' }, 'Create');
  await reader.sees('First steps');
  await reader.page.getByRole('link', { name: 'Members', exact: true }).first().click();
  await reader.sees('No members yet');
  await enrol(reader, ALICE, 'Alice');
  await enrol(reader, BOB, HOSTILE);
  await awardAndUndo(reader);
  await reader.press('Close');
  await reader.sees('U+202E');
  reader.sawNoFault();
  await reader.page.context().close();
});

test('gifts, points set aside, and changes of another client that arrive live', {
  skip: withoutChromium,
}, async () => {
  const reader = await Reader.open(browser, service.url);
  await reader.signIn(ROOT_KEY);
  await service.expect(200, 'PATCH', `${REALM}/members/${ALICE}/tokenBalance`, {
    body: { tokens: 100 },
  });
  await reader.page.goto(`${service.url}/realms/acme/members/${ALICE}`);
  await balanceIs(reader, '100');
  await give(reader);
  await balanceIs(reader, '70');
  await setAsideAndTake(reader);
  await balanceIs(reader, '50');
  await service.expect(200, 'PATCH', `${REALM}/members/${ALICE}/tokenBalance`, {
    body: { tokens: 1200 },
  });
  await balanceIs(reader, '1,250');
  reader.sawNoFault();
  await reader.page.context().close();
});

test('a refusal is shown at its field, and changes nothing', {
  skip: withoutChromium,
}, async () => {
  const reader = await Reader.open(browser, service.url);
  await reader.signIn(ROOT_KEY);
  await reader.page.goto(`${service.url}/realms/acme/members/${ALICE}`);
  await reader.press('Take points');
  await reader.answer({ Points: '1,000,000' }, 'Take points');
  const dialog = reader.page.getByRole('dialog');
  await dialog.getByRole('alert').getByText('1000000 were requested').waitFor();
  assert.equal(
    await dialog.getByLabel('Points', { exact: true }).getAttribute('aria-invalid'),
    'true',
  );
  await reader.canUseEverything('a refusal');
  await reader.press('Cancel');
  await balanceIs(reader, '1,250');
  await reader.page.context().close();
});

test('a list of 5,000 with 20 bad rows is imported', { skip: withoutChromium }, async () => {
  const reader = await Reader.open(browser, service.url);
  await reader.signIn(ROOT_KEY);
  await reader.page.goto(`${service.url}/realms/acme/import`);
  const rows = Array.from({ length: 5_000 }, (_, index) =>
    index % 250 === 0 ? `x${index},Nobody,many` : `${1_000_000 + index},Person ${index},${index}`,
  );
  const buffer = Buffer.from(`id,name,points\n${rows.join('\n')}`);
  await reader.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'old-bot.csv', mimeType: 'text/csv', buffer });
  await reader.sees('20 rows with faults');
  await reader.press('Enrol 4,980');
  await reader.page.getByRole('link', { name: 'Show the members' }).waitFor();
  const saved = reader.page.waitForEvent('download');
  await reader.press('Download what was refused');
  assert.equal((await saved).suggestedFilename(), 'refused-old-bot.csv');
  const { json } = await service.expect(200, 'GET', `${REALM}/members/1000001`);
  assert.deepEqual([json.displayName, json.tokenBalance], ['Person 1', 1]);
  reader.sawNoFault();
  await reader.page.context().close();
});

test('one box finds members by name, id and anything else', { skip: withoutChromium }, async () => {
  const reader = await Reader.open(browser, service.url);
  await reader.signIn(ROOT_KEY);
  await reader.page.goto(`${service.url}/realms/acme/members`);
  const rows = reader.page.getByRole('table', { name: 'Members' }).getByRole('link');
  await rows.first().waitFor();
  for (const [typed, found] of [
    ['ali', 'Alice'],
    [ALICE, 'Alice'],
    ['person 4999', 'Person 4999'],
  ] as const) {
    await reader.page.getByRole('searchbox').fill(typed);
    await rows.filter({ hasText: found }).waitFor();
  }
  assert.match(reader.page.url(), /search=person\+4999/, 'the address can be shared');
  await reader.page.keyboard.press('Control+k');
  await reader.page.getByRole('combobox', { name: 'Search' }).fill('add 5 to alice');
  await reader.page.getByRole('option', { name: 'Add 5 points to Alice' }).waitFor();
  await reader.page.keyboard.press('Enter');
  await reader.sees(/1,250 →/);
  reader.sawNoFault();
  await reader.page.context().close();
});

test('a key that only reads sees everything and can change nothing', {
  skip: withoutChromium,
}, async () => {
  const { json } = await service.expect(201, 'POST', `${REALM}/keys`, {
    body: { name: 'onlooker', scopes: ['read'] },
  });
  const reader = await Reader.open(browser, service.url);
  await reader.signIn(json.key);
  await reader.page.goto(`${service.url}/realms/acme/members/${ALICE}`);
  await balanceIs(reader, '1,250');
  for (const name of ['Enrol', 'Import', 'Add points', 'Take points', 'Give', 'Undo']) {
    assert.equal(await reader.page.getByRole('button', { name, exact: true }).count(), 0, name);
  }
  assert.equal(await reader.page.getByRole('link', { name: 'Keys' }).count(), 0);
  reader.sawNoFault();
  await reader.page.context().close();
});

for (const [width, colorScheme] of [
  [1440, 'light'],
  [390, 'dark'],
] as const) {
  test(`every view can be used by everybody, ${colorScheme}, ${width} px`, {
    skip: withoutChromium,
  }, async () => {
    const viewport = { width, height: 844 };
    const reader = await Reader.open(browser, service.url, { viewport, colorScheme });
    await reader.signIn(ROOT_KEY);
    for (const view of VIEWS) {
      await reader.page.goto(`${service.url}/realms/acme${view}`);
      await reader.page.locator('main .content').waitFor();
      await reader.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await reader.canUseEverything(view);
      const overflow = await reader.page.evaluate('document.body.scrollWidth - innerWidth');
      assert.ok(Number(overflow) <= 0, `${view} is wider than the screen`);
    }
    reader.sawNoFault();
    await reader.page.context().close();
  });
}

test('while the service is away a bar says so, and then all comes back', {
  skip: withoutChromium,
}, async () => {
  const reader = await Reader.open(browser, service.url);
  await reader.signIn(ROOT_KEY);
  await reader.page.goto(`${service.url}/realms/acme`);
  await reader.sees('Issued and spent');
  await reader.page.context().setOffline(true);
  await reader.page.getByRole('link', { name: 'Members', exact: true }).first().click();
  await reader.sees('The service cannot be reached.');
  await reader.page.context().setOffline(false);
  await reader.page.locator('tbody').getByRole('link').first().waitFor();
  assert.equal(await reader.page.getByText('The service cannot be reached.').count(), 0);
  await reader.page.context().close();
});

test('who signs out is out, in every tab', { skip: withoutChromium }, async () => {
  const reader = await Reader.open(browser, service.url);
  await reader.signIn(ROOT_KEY);
  await reader.page.goto(`${service.url}/sessions`);
  await reader.press('Sign out');
  await reader.page.getByLabel('Key').waitFor();
  await reader.page.goto(`${service.url}/realms/acme`);
  await reader.page.getByLabel('Key').waitFor();
  await reader.page.context().close();
});

async function enrol(reader: Reader, id: string, name: string): Promise<void> {
  await reader.press('Enrol');
  await reader.answer({ Id: id, Name: name }, 'Enrol');
  await reader.sees(/is enrolled/);
  await reader.press('Dismiss');
}

async function awardAndUndo(reader: Reader): Promise<void> {
  await reader.page.getByRole('link', { name: 'Alice' }).first().click();
  await reader.press('Add points');
  await reader.page.getByRole('dialog').getByLabel('Points', { exact: true }).fill('50');
  await reader.sees('Alice: 0 → 50 points');
  await reader.answer({ Reason: 'Quest reward' }, 'Add points');
  await balanceIs(reader, '50');
  await reader.sees('50 points added to Alice');
  await reader.page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
  await balanceIs(reader, '0');
}

async function give(reader: Reader): Promise<void> {
  await reader.press('Give');
  const dialog = reader.page.getByRole('dialog');
  await dialog.getByLabel('To', { exact: true }).fill(BOB);
  await dialog.getByRole('button', { name: /img/ }).click();
  await reader.answer({ Points: '30' }, 'Give');
}

async function setAsideAndTake(reader: Reader): Promise<void> {
  await reader.press('More actions');
  await reader.page.getByRole('menuitem', { name: 'Set aside' }).click();
  await reader.answer({ Points: '20', Reason: 'Order 7' }, 'Set aside');
  await reader.page.getByRole('tab', { name: 'Set aside' }).click();
  await reader.page.getByRole('tabpanel').getByRole('button', { name: 'Take' }).click();
  await reader.answer({}, 'Take points');
}

const balanceIs = (reader: Reader, figure: string): Promise<void> =>
  reader.page.locator('.panel .big', { hasText: new RegExp(`^${figure}$`) }).waitFor();
