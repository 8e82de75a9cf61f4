import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { prepare, sendGood, table } from '../support/requests.ts';
import { serviceForFile, TestRealm } from '../support/service.ts';

/**
 * What every operation of the table has in common. Whom it answers is in answers.test.ts, whom it
 * refuses in refused-callers.sqlite.test.ts, and its paths are in routes.sqlite.test.ts.
 */
const service = await serviceForFile();
const here = await prepare(service, 'here');
const nowhere = { ...here, realm: new TestRealm(service, 'nowhere') };

for (const [id, { path }] of table) {
  if (!path.includes('{realmID}')) continue;
  test(`${id}: under the root key an unknown realm is 404`, async () => {
    assertProblem(await sendGood(id, nowhere), 'realm-not-found');
  });
}
