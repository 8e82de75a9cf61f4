import { test } from 'node:test';
import { exampleAnswer } from '../../scripts/openapi/example.ts';
import { assertFits } from '../support/answers.ts';
import { newBodies } from '../support/new-bodies.ts';
import { pathOf, prepare, table } from '../support/requests.ts';
import { serviceForFile } from '../support/service.ts';

/** The examples of the contract, which no database has to do with. */
const service = await serviceForFile();

for (const [id, operation] of table) {
  test(`${id}: its examples are accepted and match`, async () => {
    const { answer, body, method, example: sent } = operation;
    if (answer.schema) {
      const example = JSON.stringify(exampleAnswer(operation));
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      const reply = { status: answer.status, text: example, json: JSON.parse(example) };
      assertFits(id, operation, { ...reply, headers: { ...headers, 'x-request-id': 'x' } });
    }
    // Of passkeys only a browser, and of codes only who has one can send what is accepted.
    if (!body || operation.ofPeople || id in newBodies) return;
    const prepared = await prepare(service, `example-${id}`);
    const reply = await service.send(method, pathOf(operation, prepared), { body: sent });
    assertFits(id, operation, reply);
    if (operation.isStrict) return;
    // Unknown fields are ignored.
    const again = await prepare(service, `unknown-${id}`);
    const more = { ...(sent as object), somethingElse: { a: 1 }, $ref: '#' };
    const fields = id === 'createRealm' ? { ...more, id: 'other' } : more;
    const other = await service.send(method, pathOf(operation, again), { body: fields });
    assertFits(id, operation, other);
  });
}
