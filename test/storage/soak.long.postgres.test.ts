import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashes, soak, threeNodes } from '../../soak/scenarios.ts';

/** A short run of the scenarios of `npm run soak`. */
test('three nodes under load, then PostgreSQL killed: no fault, and nothing lost', async () => {
  const findings = await soak(7, [threeNodes(3), crashes(2, 500)], () => undefined);
  assert.deepEqual(findings.faults(), []);
});
