import assert from 'node:assert/strict';
import { claim, close, createOffer } from '../support/offers.ts';
import { add, changeMany, done, give } from '../support/points.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

/** What a manager opens every morning. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = () => Reader.signedIn(browser(), service.url, ROOT_KEY);

browse('what needs attention is counted, looked into, done or dismissed', async () => {
  const realm = await service.realm('attention');
  await realm.member('1', 0, { displayName: 'Ann' });
  const usual = Array.from({ length: 12 }, () => ({ memberId: '1', tokens: 10 }));
  await changeMany(realm, usual);
  await createOffer(realm, 'hat', { gives: { points: 1 }, delivery: 'manual', perMember: null });
  const { claimId } = await done(claim(realm, 'hat', '1'));
  const reader = await signedIn();
  const { page } = reader;
  const list = page.getByRole('region', { name: 'Needs attention' });
  const isCounted = (count: number) =>
    page
      .getByRole('link', { name: `Overview ${count} to look at` })
      .first()
      .waitFor();
  await reader.opens('/realms/attention');
  await list.getByText('1 claim waits for delivery').waitFor();
  await done(add(realm, '1', 7_000));
  await reader.opens('/realms/attention');
  await isCounted(2);
  await list.getByText('usually gives at most 10 Points').waitFor();
  await inEveryLook(reader, 'what needs attention');
  const award = list.getByRole('listitem').filter({ hasText: '7,000 Points' });
  await award.getByRole('button', { name: 'Dismiss until it changes' }).click();
  await award.waitFor({ state: 'detached' });
  await isCounted(1);
  await reader.opens('/realms/attention');
  await isCounted(1);
  await done(claim(realm, 'hat', '1'));
  await done(close(realm, claimId, 'deliver'));
  const waiting = list.getByRole('listitem');
  await waiting.getByRole('button', { name: 'Dismiss until it changes' }).click();
  await list.waitFor({ state: 'detached' });
  await done(claim(realm, 'hat', '1'));
  await reader.opens('/realms/attention');
  await list.getByText('2 claims wait for delivery').waitFor();
  await list.getByRole('link', { name: 'Open claims' }).click();
  await page.getByRole('heading', { name: 'Claims', exact: true }).waitFor();
  await isCounted(1);
  await reader.leave();
});

browse('first steps tick themselves off, and code is for developers', async () => {
  const realm = await service.realm('steps');
  const reader = await signedIn();
  const { page } = reader;
  const steps = page.getByRole('region', { name: 'First steps' });
  const isDone = (step: string) => steps.locator('li.done', { hasText: step }).waitFor();
  await reader.opens('/realms/steps');
  await steps.getByText(/^\d steps to go$/).waitFor();
  assert.equal(await steps.getByText('curl').isVisible(), false);
  await inEveryLook(reader, 'first steps');
  await steps.getByText('For developers').click();
  await steps.getByText(/^curl -X PATCH/).waitFor();
  await inEveryLook(reader, 'for developers');
  await realm.member('1', 50);
  await isDone('Import your members');
  await isDone('Award the first points');
  await realm.expect(201, 'POST', '/people', { body: { name: 'Bea', role: 'manager' } });
  await isDone('Invite the team');
  await createOffer(realm, 'daily', { gives: { points: 5 } });
  await isDone('Make the first offer');
  const settings = { discord: { guildId: '81384788765712384' } };
  await realm.expect(200, 'PATCH', '', { body: { settings } });
  await isDone('Connect Discord');
  await steps.getByText('All done').waitFor();
  await steps.getByRole('button', { name: 'Hide' }).click();
  await steps.waitFor({ state: 'detached' });
  await reader.opens('/realms/steps');
  assert.equal(await steps.count(), 0);
  await reader.leave();
});

browse('trends follow what happens, for the period that is chosen', async () => {
  const realm = await service.realm('trends');
  await realm.member('1', 60, { displayName: 'Ann' });
  await realm.member('2', 0, { displayName: 'Ben' });
  await done(give(realm, '1', '2', 10, { description: 'Thanks' }));
  const reader = await signedIn();
  const { page } = reader;
  const figure = async (name: string, value: string): Promise<void> => {
    const card = page.getByRole('region', { name, exact: true });
    await card.getByText(value, { exact: true }).first().waitFor();
  };
  await reader.opens('/realms/trends');
  await figure('Members', '2');
  await figure('Active members', '2');
  await figure('Points issued', '60');
  await done(add(realm, '1', 25, { description: 'Movie night' }));
  await figure('Points issued', '85');
  await figure('Points in circulation', '85');
  await page.getByRole('listitem').filter({ hasText: 'Movie night' }).getByText('25').waitFor();
  const weeks = page.getByRole('slider', { name: 'New and returning members by week' });
  assert.match((await weeks.getAttribute('aria-valuetext')) ?? '', /New 2, Returning 0$/);
  await page.getByRole('button', { name: '12 months' }).click();
  await page.waitForURL(/days=365/);
  await figure('Points issued', '85');
  await inEveryLook(reader, 'trends');
  await reader.leave();
});
