import assert from 'node:assert/strict';
import type { TestService } from '../support/service.ts';
import { evmSigner } from '../support/signers.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { ALICE, BOB } from './hostile-realm.ts';
import { HOSTILE, type Reader } from './reader.ts';

interface Plan {
  /** The name of a realm that is there for this day only. */
  name: string;
  /** How many rows are imported. */
  rows: number;
  /** Called at each view that the manager goes to. */
  look?: (view: string) => Promise<void>;
}

/** A manager's whole day in a new realm, in the order of the steps. */
export class ManagersDay {
  readonly #reader: Reader;
  readonly #look: Plan['look'];
  readonly #service: TestService;
  /** Where the realm's views are. */
  readonly #at: string;
  readonly #api: string;

  private constructor(reader: Reader, service: TestService, { name, look }: Plan) {
    const realm = name.toLowerCase();
    this.#reader = reader;
    this.#look = look;
    this.#service = service;
    this.#at = `/realms/${realm}`;
    this.#api = `/api/v4/realms/${realm}`;
  }

  /** The whole of it. */
  static async of(reader: Reader, service: TestService, plan: Plan): Promise<void> {
    await reader.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const day = new ManagersDay(reader, service, plan);
    await day.createsRealm(plan.name);
    const key = await day.issuesKey();
    await day.enrols(ALICE, 'Alice');
    await day.enrols(BOB, HOSTILE);
    await day.imports(plan.rows);
    await day.awardsAndUndoes();
    await day.seesWhatABotDoes(key, 100, '100');
    await day.givesAndReverses();
    await day.holdsAndCaptures();
    await day.filtersStatement();
    await day.checksWallets(await day.provesWallet());
    await day.looksAtLeaderboard();
    await day.testsWebhook();
    await day.revokesKey(key);
    await day.checksTheJournal();
    await day.archivesAndDeletes();
    await day.signsOut();
    await reader.leave();
  }

  async #goes(view: string): Promise<void> {
    await this.#reader.visits(this.#at + view);
    await this.#reader.looksRight(view);
    await this.#look?.(view);
  }

  async createsRealm(name: string): Promise<void> {
    await this.#reader.press('Create a realm');
    await this.#reader.answer({ Name: name }, 'Create');
    await this.#reader.sees('First steps');
  }

  /** Returns the key, which the console shows once. */
  async issuesKey(): Promise<string> {
    const reader = this.#reader;
    await this.#goes('/keys');
    await reader.press('Issue a key');
    await reader.answer({ 'What it is for': 'Quest bot' }, 'Issue');
    const key = (await reader.dialog.locator('pre').textContent()) ?? '';
    await reader.press('Done');
    await this.#service.expect(200, 'GET', this.#api, { key });
    return key;
  }

  async revokesKey(key: string): Promise<void> {
    const reader = this.#reader;
    await this.#goes('/keys');
    await reader.choose('Actions for Quest bot', 'Revoke');
    await reader.answer({}, 'Revoke');
    await reader.sees('No keys yet');
    await this.#service.expect(401, 'GET', this.#api, { key });
  }

  async enrols(id: string, name: string): Promise<void> {
    const reader = this.#reader;
    await this.#goes('/members');
    await reader.press('Add member');
    await reader.answer({ Id: id, Name: name }, 'Add member');
    await reader.dialog.waitFor({ state: 'detached' });
    await reader.sees(/ added$/);
  }

  /** One row in 250 is bad. */
  async imports(count: number): Promise<void> {
    const reader = this.#reader;
    await this.#goes('/import');
    const rows = Array.from({ length: count }, (_, index) =>
      index % 250 === 0 ? `x${index},Nobody,many` : `${1_000_000 + index},Person ${index},${index}`,
    );
    const buffer = Buffer.from(`id,name,points\n${rows.join('\n')}`);
    const file = { name: 'old-bot.csv', mimeType: 'text/csv', buffer };
    await reader.page.locator('input[type=file]').setInputFiles(file);
    const bad = count / 250;
    await reader.sees(new RegExp(`^${bad} rows with faults`));
    await reader.press(`Add ${(count - bad).toLocaleString('en')} members`);
    await reader.page.getByRole('link', { name: 'Show the members' }).waitFor();
    assert.equal(await reader.saves('Download what was refused'), 'refused-old-bot.csv');
    const { json } = await this.#service.expect(200, 'GET', `${this.#api}/members/1000001`);
    assert.deepEqual([json.displayName, json.tokenBalance], ['Person 1', 1]);
  }

  async awardsAndUndoes(): Promise<void> {
    const reader = this.#reader;
    await this.#goes(`/members/${ALICE}`);
    await reader.press('Add points');
    await reader.dialog.getByLabel('Points', { exact: true }).fill('50');
    await reader.sees('Alice: 0 → 50 points');
    await reader.answer({ Reason: 'Quest reward' }, 'Add points');
    await balanceIs(reader, '50');
    await reader.sees('50 points added to Alice');
    await reader.page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
    await balanceIs(reader, '0');
  }

  /** The panel is open while the bot gives points. */
  async seesWhatABotDoes(key: string, tokens: number, balance: string): Promise<void> {
    const path = `${this.#api}/members/${ALICE}/tokenBalance`;
    await this.#service.expect(200, 'PATCH', path, { key, body: { tokens, description: HOSTILE } });
    await balanceIs(this.#reader, balance);
  }

  /** 30 of 100 points; then 10 of them are reversed. */
  async givesAndReverses(): Promise<void> {
    const reader = this.#reader;
    await reader.press('Give');
    await this.#picksBob('To');
    await reader.answer({ Points: '30' }, 'Give');
    await balanceIs(reader, '70');
    const statement = reader.page.getByRole('table', { name: 'Statement' });
    await statement.getByRole('row', { name: /70/ }).getByRole('button', { name: 'Undo' }).click();
    await reader.answer({ Points: '10' }, 'Undo');
    await reader.sees('Reversed 10 of 30 points');
    await balanceIs(reader, '80');
  }

  async #picksBob(label: string): Promise<void> {
    const { dialog } = this.#reader;
    await dialog.getByLabel(label, { exact: true }).fill(BOB);
    await dialog.getByRole('option', { name: /img/ }).click();
  }

  /** 20 are put on hold: 5 of them go to Bob, and the rest is captured. */
  async holdsAndCaptures(): Promise<void> {
    const reader = this.#reader;
    await reader.choose('More actions', 'Put on hold');
    await reader.answer({ Points: '20', Reason: 'Order 7' }, 'Put on hold');
    await reader.page.getByRole('tab', { name: 'On hold' }).click();
    const capture = reader.page.getByRole('tabpanel').getByRole('button', { name: 'Capture' });
    await capture.click();
    await this.#picksBob('Give them to');
    await reader.answer({ Points: '5' }, 'Give');
    await balanceIs(reader, '75');
    await reader.sees(/^15 points · /);
    await capture.click();
    await reader.answer({}, 'Capture');
    await balanceIs(reader, '60');
  }

  async filtersStatement(): Promise<void> {
    const reader = this.#reader;
    const rows = reader.page.getByRole('table', { name: 'Statement' }).locator('tbody tr');
    await reader.opens(`${this.#at}/members/${ALICE}`);
    await rows.nth(5).waitFor();
    await reader.page.getByLabel('Type of movement').selectOption({ label: 'Given' });
    await rows.nth(1).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 1);
    await reader.page.getByLabel('From').fill('2999-01-01');
    await reader.sees('No movements match');
    assert.match(reader.page.url(), /type=points\.transferred&from=2999-01-01/);
  }

  /** Signs the text that the console shows, as the member's wallet would. */
  async provesWallet(): Promise<string> {
    const reader = this.#reader;
    const wallet = evmSigner();
    await this.#goes(`/members/${ALICE}?tab=wallets`);
    await reader.press('Link a wallet');
    await reader.dialog.getByLabel('The member proves it with a signature').check();
    await reader.answer({ Address: wallet.address }, 'Continue');
    await reader.press('Copy the text');
    await reader.page.getByRole('button', { name: 'Copied' }).waitFor();
    const message = await reader.page.evaluate<string>('navigator.clipboard.readText()');
    await reader.answer({ Signature: wallet.sign(message) }, 'Prove');
    await reader.sees(/^Proved /);
    return wallet.address;
  }

  async checksWallets(wallet: string): Promise<void> {
    const reader = this.#reader;
    await this.#goes('/wallets');
    await reader.page
      .getByLabel('Wallets')
      .fill(`${wallet.toUpperCase().replace('X', 'x')}\nnobody`);
    await reader.press('Check 2 wallets');
    await reader.sees('1 of 2 wallets belong to members');
    await reader.page.getByRole('link', { name: 'Alice' }).waitFor();
    assert.equal(await reader.saves('Download'), 'wallets.csv');
  }

  async looksAtLeaderboard(): Promise<void> {
    const reader = this.#reader;
    await this.#goes('/leaderboard');
    const first = reader.page
      .getByRole('table', { name: 'Leaderboard' })
      .locator('tbody tr')
      .first();
    await first.filter({ hasText: /^1.*Person/ }).waitFor();
    await reader.press('Week');
    await first.filter({ hasText: /^1.*Alice/ }).waitFor();
  }

  async testsWebhook(): Promise<void> {
    const reader = this.#reader;
    const receiver = await Receiver.start();
    await this.#goes('/webhooks');
    await reader.press('Add a webhook');
    await reader.answer({ Address: receiver.url, 'What it is for': HOSTILE }, 'Add');
    assert.match((await reader.dialog.locator('pre').textContent()) ?? '', /^whsec_/);
    await reader.press('Done');
    await reader.page.getByRole('link', { name: receiver.url }).click();
    await reader.press('Send a test');
    await reader.sees('The test arrived');
    assert.equal(receiver.received.at(-1)?.event.type, 'webhook.test');
    await receiver.stop();
  }

  /** The last record of the journal has the hash that a check ends with. */
  async checksTheJournal(): Promise<void> {
    const reader = this.#reader;
    await this.#goes('/integrity');
    await reader.press('Check now');
    await reader.sees('Everything adds up');
    const head = await reader.page.locator('.facts .id .mono').getAttribute('title');
    const { json } = await this.#service.expect(200, 'GET', `${this.#api}/summary`);
    await this.#goes(`/activity/${json.records}`);
    await reader.page.locator(`.panel .id .mono[title="${head}"]`).waitFor();
    await reader.sees('The root key');
  }

  async archivesAndDeletes(): Promise<void> {
    const reader = this.#reader;
    await this.#goes('/settings');
    await reader.press('Archive');
    await reader.answer({}, 'Archive');
    await reader.sees('This realm is archived: everything can be read, and nothing changed.');
    await reader.press('Delete');
    const id = this.#at.split('/').at(-1) ?? '';
    await reader.answer({ [`Type its id, ${id}`]: id }, 'Delete');
    await reader.page.getByRole('heading', { name: 'Realms', exact: true }).waitFor();
    await this.#service.expect(404, 'GET', this.#api);
  }

  async signsOut(): Promise<void> {
    await this.#reader.goto('/sessions');
    await this.#reader.press('Sign out');
    await this.#reader.page.getByLabel('Key').waitFor();
    await this.#reader.goto(this.#at);
    await this.#reader.page.getByLabel('Key').waitFor();
  }
}

export const balanceIs = (reader: Reader, figure: string): Promise<void> =>
  reader.page.locator('.panel .big', { hasText: new RegExp(`^${figure}$`) }).waitFor();
