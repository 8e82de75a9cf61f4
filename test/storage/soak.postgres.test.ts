import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashes, soak, threeNodes } from '../../soak/scenarios.ts';

/** In short, so that it stays true; `npm run soak` does it at length. */
test('three nodes under load, then PostgreSQL killed: no fault, and nothing lost', async () => {
  const findings = await soak(7, [threeNodes(3), crashes(2, 500)], () => undefined);
  assert.deepEqual(findings.faults(), []);
});
