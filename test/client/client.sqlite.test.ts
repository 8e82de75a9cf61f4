import { describe, test } from 'node:test';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { ServiceProxy, shortUrl, silentUrl } from './bad-ways.ts';
import { cases } from './portable/cases.ts';

const service = await serviceForFile();
const proxy = await ServiceProxy.start(service, Math.random);
const given = {
  url: service.url,
  rootKey: ROOT_KEY,
  cutUrl: proxy.url,
  silentUrl: await silentUrl(),
  shortUrl: await shortUrl(),
};

describe('the client', () => {
  for (const [name, run] of Object.entries(cases)) test(name, () => run(given));
});
