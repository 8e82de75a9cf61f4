import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { serviceForFile } from '../support/service.ts';

const service = await serviceForFile();
const MEMBERS = 120;

/** More than are read together, of two realms, each asked for twice. */
test('members that are read at once are each their own, or missing', async () => {
  const realms = [await service.realm('these'), await service.realm('others')] as const;
  for (const [which, realm] of realms.entries()) {
    const members = Array.from({ length: MEMBERS }, (_, index) => ({
      id: String(index + 1),
      username: `${index + 1} of ${which}`,
    }));
    await realm.expect(200, 'POST', '/members/batch', { body: { members } });
    await realm.expect(204, 'DELETE', '/members/7');
  }
  const reads = Array.from({ length: MEMBERS + 1 }, (_, index) => index + 1).flatMap((id) =>
    realms.flatMap((realm, which) => [
      { id, which, reply: realm.send('GET', `/members/${id}`) },
      { id, which, reply: realm.send('GET', `/members/${id}`) },
    ]),
  );
  for (const { id, which, reply } of reads) {
    const read = await reply;
    if (id === 7 || id > MEMBERS) assertProblem(read, 'member-not-found');
    else assert.deepEqual([read.json.id, read.json.username], [String(id), `${id} of ${which}`]);
  }
});

test('whoever has been answered reads its own write, among many who read', async () => {
  const realm = await service.realm('busy', { autoEnroll: true });
  const balances = Array.from({ length: 40 }, async (_, index) => {
    const path = `/members/${index + 1}`;
    for (let tokens = 1; tokens <= 5; tokens++) {
      await realm.expect(200, 'PATCH', `${path}/tokenBalance`, { body: { tokens: 1 } });
      const { json } = await realm.expect(200, 'GET', path);
      assert.equal(json.tokenBalance, tokens);
    }
  });
  await Promise.all(balances);
});
