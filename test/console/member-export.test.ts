import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Ask, MemberExport } from '../../console/api/member-export.ts';

const AT = { createdAt: '', updatedAt: '' };

const member = (id: string) => ({
  ...AT,
  id,
  status: 'active',
  wallets: [],
  accounts: [],
  metadata: {},
  balances: {},
});

test('an export that fails goes on where it was', async () => {
  const asked: (string | undefined)[] = [];
  let failures = 1;
  const members = async ({ cursor }: { cursor?: string }) => {
    asked.push(cursor);
    if (cursor === 'b' && failures-- > 0) throw new Error('away');
    const next: Record<string, string | null> = { first: 'a', a: 'b', b: null };
    return { items: [member(String(asked.length))], nextCursor: next[cursor ?? 'first'] };
  };
  const file = new MemberExport(members as unknown as Ask, []);
  const { signal } = new AbortController();
  await assert.rejects(
    file.run(signal, () => {}),
    /away/,
  );
  assert.equal(file.count, 2);
  await file.run(signal, () => {});
  assert.deepEqual(asked, [undefined, 'a', 'b', 'b']);
  assert.deepEqual(
    file.lines.map((line) => line.split(',')[0]),
    ['id', '1', '2', '4'],
  );
});
