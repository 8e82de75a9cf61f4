import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';
import { launchChromium, withoutChromium } from './chromium.ts';
import { ManagersDay } from './day.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });

test('a manager’s day at a desk begins with the link of the first start', {
  skip: withoutChromium,
}, async () => {
  await using browser = await launchChromium();
  const link = await service.consoleLink();
  const reader = await Reader.open(browser, link, { colorScheme: 'light' });
  await reader.isIn();
  assert.doesNotMatch(reader.page.url(), /code/, 'the code is not in the history');
  const late = await Reader.open(browser, link);
  await late.page.getByRole('alert').waitFor();
  await late.page.getByLabel('Key').waitFor();
  await late.leave();
  await ManagersDay.of(reader, service, 'Desk', 5_000);
});
