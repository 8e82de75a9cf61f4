import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { claim, createOffer } from '../support/offers.ts';
import { changeMany, done } from '../support/points.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';
import { withAuthenticator } from './authenticator.ts';
import { browse, browserForFile } from './browse.ts';
import { canUseEverything, DESK, PHONE } from './looks.ts';
import { Reader } from './reader.ts';

/** The day of a manager who is invited, as she sees it on every screen. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const SCREENS = [DESK, PHONE].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

for (const screen of SCREENS) {
  const { viewport, colorScheme } = screen;
  browse(
    `a manager’s day from her invitation on, ${viewport.width} px, ${colorScheme}`,
    async () => {
      const realm = await community(`at-${viewport.width}-${colorScheme}`);
      const reader = await joins(realm, screen);
      await imports(reader, realm);
      await awardsAndUndoes(reader, realm);
      await filtersAndExports(reader);
      await clearsAttention(reader, realm);
      await signsInAgain(reader);
      await reader.leave();
    },
  );
}

/** Somebody waits for a hat, and a bot that gives 10 points at a time gave 7,000. */
async function community(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 0, { displayName: 'Ann' });
  const awards = [...Array.from({ length: 12 }, () => 10), 7_000];
  await changeMany(
    realm,
    awards.map((tokens) => ({ memberId: '1', tokens })),
  );
  await createOffer(realm, 'hat', { gives: { points: 1 }, delivery: 'manual' });
  await done(claim(realm, 'hat', '1'));
  return realm;
}

async function joins(realm: TestRealm, screen: (typeof SCREENS)[number]): Promise<Reader> {
  const body = { name: 'Max', role: 'manager' };
  const { invitation } = (await realm.expect(201, 'POST', '/people', { body })).json;
  const reader = await Reader.open(browser(), invitation, screen);
  const device = await withAuthenticator(reader);
  await canUseEverything(reader, 'the invitation');
  await reader.press('Accept the invitation');
  await reader.sees('Welcome, Max');
  await canUseEverything(reader, 'the first passkey');
  await reader.press('Create a passkey');
  await reader.isIn();
  assert.equal(await device.count(), 1);
  return reader;
}

/** Guest 1 has 1 point, Guest 60 has 60. */
const GUESTS = Array.from({ length: 60 }, (_, index) => `Guest ${index + 1}`);

async function imports(reader: Reader, realm: TestRealm): Promise<void> {
  const { page } = reader;
  await reader.visits(`/realms/${realm.id}/import`);
  const rows = GUESTS.map((name, index) => `${name},${index + 1}`);
  const buffer = Buffer.from(['name,points', ...rows].join('\n'));
  const file = { name: 'guests.csv', mimeType: 'text/csv', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  await canUseEverything(reader, 'the preview');
  await reader.press('Add 60 members');
  await page.getByRole('link', { name: 'Show the members' }).click();
  await reader.sees('61 members');
  await canUseEverything(reader, 'the members');
}

const pointsIn = async (realm: TestRealm): Promise<number> =>
  (await realm.expect(200, 'GET', '/summary')).json.circulation.points;

async function awardsAndUndoes(reader: Reader, realm: TestRealm): Promise<void> {
  const before = await pointsIn(realm);
  await reader.press('Award a list');
  await reader.answer({ Who: GUESTS.slice(0, 40).join('\n') }, 'Look them up');
  await reader.sees('40 recognised');
  await reader.dialog.getByLabel('Reason').fill('Community call');
  await reader.answer({ Points: '25' }, 'Award them');
  await reader.sees('40 of 40 members');
  assert.equal(await pointsIn(realm), before + 1_000);
  await canUseEverything(reader, 'what was awarded');
  await reader.press('Undo all of it');
  await reader.sees('Undone');
  await reader.sees('40 of 40 members');
  assert.equal(await pointsIn(realm), before);
  await reader.press('Done');
  await reader.dialog.waitFor({ state: 'detached' });
}

async function filtersAndExports(reader: Reader): Promise<void> {
  const { page } = reader;
  await reader.press('Filter');
  await reader.answer({ 'Points from': '31', 'Points up to': '60' }, 'Show');
  await reader.sees('30 of 61 members');
  await canUseEverything(reader, 'the filtered members');
  const saved = page.waitForEvent('download');
  await reader.press('Export');
  const file = readFileSync(await (await saved).path(), 'utf8');
  assert.deepEqual(file.match(/Guest \d+/g)?.sort(), GUESTS.slice(30));
}

async function clearsAttention(reader: Reader, realm: TestRealm): Promise<void> {
  const { page } = reader;
  const list = page.getByRole('region', { name: 'Needs attention' });
  const isCounted = (said: string) =>
    page
      .getByRole('link', { name: `Overview${said}`, exact: true })
      .first()
      .waitFor();
  await reader.visits(`/realms/${realm.id}`);
  await list.getByText('1 claim waits for delivery').waitFor();
  await isCounted(' 2 to look at');
  await canUseEverything(reader, 'what needs attention');
  await list.getByRole('link', { name: 'Open claims' }).click();
  await reader.press(/^Deliver/);
  await isCounted(' 1 to look at');
  await reader.visits(`/realms/${realm.id}`);
  const award = list.getByRole('listitem').filter({ hasText: 'usually gives at most 10 Points' });
  await award.getByRole('link', { name: 'Ann' }).click();
  const statement = page.getByRole('table', { name: 'Statement' });
  const row = statement.getByRole('row', { name: /7,000/ });
  await row.getByRole('button', { name: 'Undo' }).click();
  await reader.answer({}, 'Undo');
  await reader.sees(/^Reversed 7,000/);
  await reader.visits(`/realms/${realm.id}`);
  await isCounted('');
  assert.equal(await list.count(), 0);
}

/** One touch, without a key. */
async function signsInAgain(reader: Reader): Promise<void> {
  await reader.visits('/sessions');
  const asked = reader.page.waitForRequest((sent) => sent.url().endsWith('/sessions/challenge'));
  await Promise.all([asked, reader.press('Sign out')]);
  await reader.isIn();
}
