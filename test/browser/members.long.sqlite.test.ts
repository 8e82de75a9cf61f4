import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Route } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { launchChromium, withoutChromium } from './chromium.ts';
import { canUseEverything } from './looks.ts';
import { HOSTILE, Reader } from './reader.ts';

/** Many members at once in the console: imports that do not go smoothly, exports and lists. */
const service = await serviceForFile({ logLevel: 'silent' });

let browser: Browser;

before(async () => {
  if (!withoutChromium) browser = await launchChromium();
});
after(() => browser?.close());

/** A test with a realm of its own. */
const browse = (
  name: string,
  id: string,
  run: (reader: Reader, realm: TestRealm) => Promise<void>,
) =>
  test(name, { skip: withoutChromium }, async () => {
    const realm = await service.realm(id);
    const reader = await Reader.open(browser, service.url);
    await reader.signIn(ROOT_KEY);
    await reader.goto(`/realms/${id}/import`);
    await run(reader, realm);
  });

/** Three calls of 500, 500 and 200 rows, which have no ids. */
const PEOPLE = ['name', ...Array.from({ length: 1_200 }, (_, index) => `Person ${index}`)];

const addsAll = async (reader: Reader): Promise<void> => {
  await reader.page.getByLabel('Import without balances').check();
  await reader.press('Add 1,200 members');
};

const chooses = (reader: Reader, content: string | Buffer, name = 'people.csv'): Promise<void> =>
  reader.page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

/** Drops a file on the list of wallets. */
async function drops(reader: Reader, content: string): Promise<void> {
  const dataTransfer = await reader.page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(content)}], 'wallets.txt'));
    return transfer;
  })()`);
  await reader.page.getByLabel('Wallets').dispatchEvent('drop', { dataTransfer });
}

const membersOf = async (realm: TestRealm): Promise<number> =>
  (await realm.expect(200, 'GET', '/summary')).json.members;

const enrolledIs = (reader: Reader, figure: string): Promise<void> =>
  reader.page.locator('.figure .big', { hasText: new RegExp(`^${figure}$`) }).waitFor();

/** The text of a file that a button saves. */
async function saved(reader: Reader, button: string): Promise<string> {
  const download = reader.page.waitForEvent('download');
  await reader.press(button);
  return readFileSync(await (await download).path(), 'utf8');
}

/** Holds a call back until it is let go. */
class Gate {
  readonly #held = Promise.withResolvers<void>();
  readonly #open = Promise.withResolvers<void>();
  #calls = 0;

  /** At the `nth` call that enrols. */
  static async at(reader: Reader, nth: number): Promise<Gate> {
    const gate = new Gate();
    await reader.page.route('**/members/batch', async (route: Route) => {
      gate.#calls += 1;
      if (gate.#calls === nth) {
        gate.#held.resolve();
        await gate.#open.promise;
      }
      await route.continue();
    });
    return gate;
  }

  get isHolding(): Promise<void> {
    return this.#held.promise;
  }

  open(): void {
    this.#open.resolve();
  }
}

browse(
  'what was not sent after a stop is listed, and sent later',
  'stopped',
  async (reader, realm) => {
    const gate = await Gate.at(reader, 2);
    await chooses(reader, PEOPLE.join('\n'));
    await addsAll(reader);
    await gate.isHolding;
    await reader.press('Stop');
    await reader.sees('Stopping…');
    gate.open();
    await reader.sees('Stopped. Added so far');
    await enrolledIs(reader, '1,000');
    await reader.sees(/200 not sent/);
    assert.equal(await membersOf(realm), 1_000);
    const left = await saved(reader, 'Download what was not sent');
    assert.match(left, /^\ufeffrefusedLine,refusedReason,name\n1002,Not sent\.,Person 1000\n/);
    assert.equal(left.trim().split('\n').length, 201);
    await canUseEverything(reader, 'a stopped import');
    await reader.press('Continue');
    await enrolledIs(reader, '1,200');
    assert.equal(await membersOf(realm), 1_200);
    assert.equal(await reader.page.getByText('earlier import').count(), 0);
    await reader.leave();
  },
);

browse(
  'rows in doubt are sent again, and nobody is enrolled twice',
  'doubt',
  async (reader, realm) => {
    let isFirst = true;
    await reader.page.route('**/members/batch', async (route) => {
      const response = await route.fetch();
      await (isFirst ? route.fulfill({ response }) : route.abort());
      isFirst = false;
    });
    await chooses(reader, PEOPLE.join('\n'));
    await addsAll(reader);
    await reader.sees(/500 in doubt, 200 not sent/);
    await enrolledIs(reader, '500');
    assert.equal(await membersOf(realm), 1_000, 'they were enrolled, but the answers were lost');
    const undo = reader.page.getByRole('button', { name: 'Undo this import' });
    assert.equal(await undo.count(), 0, 'it would leave those in doubt');
    await reader.page.unroute('**/members/batch');
    await reader.press('Continue');
    await enrolledIs(reader, '1,200');
    assert.equal(await membersOf(realm), 1_200);
    await undo.waitFor();
    // The browser has reported the lost answers.
    await reader.page.context().close();
  },
);

browse(
  'an import goes on in other views, and again does nothing',
  'away',
  async (reader, realm) => {
    const gate = await Gate.at(reader, 1);
    await chooses(reader, PEOPLE.join('\n'));
    await addsAll(reader);
    await gate.isHolding;
    const members = reader.page.getByRole('link', { name: 'Members', exact: true }).first();
    await members.click();
    const back = reader.page.getByRole('link', { name: 'Importing…' });
    await back.waitFor();
    gate.open();
    await reader.sees('1,200 members added from people.csv');
    await reader.page.getByRole('link', { name: 'Import', exact: true }).click();
    await enrolledIs(reader, '1,200');
    await reader.press('Import another file');
    await chooses(reader, PEOPLE.join('\n'), 'copy.csv');
    await reader.sees(/1,200 rows without an id/);
    await addsAll(reader);
    await reader.sees(/1,200 added by an earlier import of the same rows/);
    await enrolledIs(reader, '0');
    assert.equal(await membersOf(realm), 1_200);
    await reader.leave();
  },
);

browse('an export can be imported, with all that members have', 'moved', async (reader, realm) => {
  const account = { provider: 'discord', id: '7', username: HOSTILE };
  const wallets = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  ];
  const fields = { displayName: '=1+1', username: HOSTILE, wallets, accounts: [account] };
  const more = { tags: ['=1+1', 'vip'], note: HOSTILE, metadata: { tier: 'gold' } };
  await realm.member('42', 1_250, { ...fields, ...more });
  await reader.goto('/realms/moved/members');
  const file = await saved(reader, 'Export');
  assert.match(
    file,
    /^\ufeffid,username,displayName,status,accounts,wallets,tags,note,metadata,balances\.points,/,
  );
  const elsewhere = await service.realm('elsewhere');
  await reader.goto('/realms/elsewhere/import');
  await chooses(reader, file);
  await reader.press('Add 1 member');
  await enrolledIs(reader, '1');
  const [before, after] = await Promise.all(
    [realm, elsewhere].map(async (one) => {
      const { json } = await one.expect(200, 'GET', '/members/42');
      const { realmId, createdAt, updatedAt, lastActiveAt, ...rest } = json;
      return rest;
    }),
  );
  assert.deepEqual(after, before);
  await reader.leave();
});

browse('a long list of wallets is checked as a whole', 'listed', async (reader, realm) => {
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
  await realm.member('1', 0, { displayName: 'Alice', wallets: [wallet] });
  await reader.goto('/realms/listed/wallets');
  const others = Array.from({ length: 10_000 }, (_, index) => `wallet-${index}`);
  await drops(reader, [...others, wallet, wallet].join('\n'));
  await reader.press('Check 10,001 wallets');
  await reader.sees('1 of 10,001 wallets belong to members');
  await reader.leave();
});

browse(
  'those who are found are sorted as a whole, and of one status',
  'sorted',
  async (reader, realm) => {
    const members = Array.from({ length: 250 }, (_, index) => ({
      id: String(index + 1),
      displayName: `Person ${index + 1}`,
      balances: { points: index + 1 },
    }));
    await realm.expect(200, 'POST', '/members/batch', { body: { members } });
    const first = reader.page.getByRole('table', { name: 'Members' }).getByRole('link').first();
    await reader.goto('/realms/sorted/members?search=person&sort=-balance');
    await first.filter({ hasText: 'Person 250' }).waitFor();
    await reader.press('Name');
    await first.filter({ hasText: /Person 1$/ }).waitFor();
    await reader.goto('/realms/sorted/members?search=7&status=frozen');
    await reader.sees('Nobody found who is frozen');
    await reader.goto('/realms/sorted/members?search=7&status=active');
    await first.filter({ hasText: /Person 7$/ }).waitFor();
    await reader.leave();
  },
);

browse('a realm that was deleted is not shown from memory', 'gone', async (reader) => {
  await reader.goto('/realms/gone/members');
  await reader.sees('No members yet');
  await reader.page.getByRole('link', { name: 'gone' }).first().click();
  await reader.page.getByRole('heading', { name: 'Realms', exact: true }).waitFor();
  await service.expect(204, 'DELETE', '/api/v4/realms/gone?confirm=gone');
  await reader.page.goBack();
  await reader.sees(/^This realm does not exist\.$/);
  await reader.leave();
});

for (const width of [1_440, 390]) {
  const id = `long-${width}`;
  const name = `a list of ${width} px stays where it is while members are opened and closed`;
  browse(name, id, async (reader, realm) => {
    const members = Array.from({ length: 400 }, (_, index) => ({ displayName: `Person ${index}` }));
    await realm.expect(200, 'POST', '/members/batch', { body: { members } });
    const { page } = reader;
    await page.setViewportSize({ width, height: 900 });
    await reader.goto(`/realms/${id}/members`);
    // Pages are loaded as one scrolls.
    const toEnd = (): Promise<number> =>
      page.evaluate('scrollTo(0, document.body.scrollHeight), scrollY');
    await eventually(toEnd, (end) => end > 12_000);
    await page.evaluate('scrollTo(0, 6_000)');
    const person = page.getByRole('link', { name: 'Person 155', exact: true });
    // Otherwise the click itself would scroll to the row.
    await person.scrollIntoViewIfNeeded();
    const scrolled = (): Promise<number> => page.evaluate('scrollY');
    const row = page.locator('tbody').getByText('Person 155', { exact: true });
    const place = async () => [await scrolled(), (await row.boundingBox())?.y];
    const was = await place();
    await person.click();
    const panel = page.getByRole('complementary', { name: 'Person 155' });
    await panel.getByRole('button', { name: 'Add points' }).waitFor();
    assert.deepEqual(await place(), was);
    await page.keyboard.press('Escape');
    await person.and(page.locator(':focus')).waitFor();
    assert.deepEqual(await place(), was);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(await scrolled(), 0);
    await reader.leave();
  });
}
