import assert from 'node:assert/strict';
import { linkTo, newDiscord, serviceAt } from '../discord/served.ts';
import { serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const [FIRST, SECOND, CHANNEL] = ['81384788765712384', '81384788765712385', '81384788765712399'];

browse('servers are linked, changed and unlinked, one by one', async () => {
  const realm = await service.realm('acme');
  const linked = async () => (await realm.expect(200, 'GET', '')).json.settings.discord;
  const reader = await Reader.open(browser(), await service.consoleLink());
  const { page } = reader;
  await reader.isIn();
  await reader.opens('/realms/acme/discord');
  await page.getByLabel('Server id').fill(FIRST);
  await reader.press('Link the server');
  await page.locator('summary', { hasText: FIRST }).waitFor();
  assert.equal((await linked()).guildId, FIRST);
  await reader.press('Add another server');
  await page.getByLabel('Server id').last().fill(SECOND);
  await inEveryLook(reader, 'a form for another server');
  await reader.press('Link the server');
  await page.locator('summary', { hasText: SECOND }).click();
  await page.getByLabel('Channel for announcements').last().fill(CHANNEL);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('details[open]').waitFor({ state: 'detached' });
  const whole = [FIRST, SECOND].map((guildId, index) => ({
    guildId,
    announceChannelId: index === 1 ? CHANNEL : null,
    managerRoleId: null,
  }));
  assert.deepEqual(await linked(), whole);
  await page.locator('summary', { hasText: FIRST }).click();
  await page.getByRole('button', { name: 'Unlink' }).click();
  await page.locator('summary', { hasText: FIRST }).waitFor({ state: 'detached' });
  assert.deepEqual(await linked(), whole[1]);
  const undo = page.locator('.toast').getByRole('button', { name: 'Undo' });
  await undo.last().click();
  await page.locator('summary', { hasText: FIRST }).waitFor();
  assert.deepEqual(await linked(), whole);
  await reader.leave();
});

browse('what is wrong with each of several servers is said', async () => {
  const atDiscord = await serviceAt(await newDiscord());
  const realm = await atDiscord.realm('acme');
  await linkTo(realm, [{ guildId: FIRST }, { guildId: SECOND }]);
  const reader = await Reader.open(browser(), await atDiscord.consoleLink());
  const { page } = reader;
  await reader.isIn();
  await reader.opens('/realms/acme/discord');
  for (const guildId of [FIRST, SECOND]) {
    const problem = page.getByRole('alert').filter({ hasText: `Server ${guildId}:` });
    await problem.filter({ hasText: 'The app is not in this server' }).waitFor();
  }
  await inEveryLook(reader, 'two servers without the app');
  await reader.leave();
});
