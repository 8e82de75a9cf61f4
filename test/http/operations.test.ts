import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { prepare, sendGood, table } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, TestRealm } from '../support/service.ts';

/**
 * What every operation of the table has in common: whom it answers, and in which realms. Whom it
 * refuses is in refused-callers.sqlite.test.ts, and its paths in routes.sqlite.test.ts.
 */
const service = await serviceForFile();
const here = await prepare(service, 'here');
const nowhere = { ...here, realm: new TestRealm(service, 'nowhere') };

for (const [index, [id, operation]] of table.entries()) {
  const { path, scope } = operation;
  // In turns: one place reads the header for all operations.
  const [form, scheme] =
    index % 2 === 0 ? ['bare', ''] : ['after "Bearer" in any case', 'bEaReR  '];
  test(`${id}: the key is accepted ${form}`, async () => {
    const prepared = await prepare(service, `form-${id}`);
    const key = scope === 'root' ? ROOT_KEY : prepared.realm.key;
    const headers = { authorization: `${scheme}${key} ` };
    const reply = await sendGood(id, prepared, { key: null, headers });
    assert.equal(reply.status, operation.answer.status, reply.text);
  });

  if (path.includes('{realmID}')) {
    test(`${id}: under the root key an unknown realm is 404`, async () => {
      assertProblem(await sendGood(id, nowhere), 'realm-not-found');
    });
  }
}
