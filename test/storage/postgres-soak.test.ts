import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashes, threeNodes } from '../../soak/scenarios.ts';

/** The soak in short, so that it stays true; `npm run soak` does it at length. */
const SEED = 7;
const quietly = () => undefined;

test('three nodes under one load: no 5xx, nothing lost, doubled or unseen', async () => {
  const verdict = await threeNodes(SEED, 3, quietly);
  assert.deepEqual(verdict.faults(), []);
});

test('PostgreSQL killed under load: what was acknowledged is there, once', async () => {
  const verdict = await crashes(SEED, { kills: 2, awayMs: 500 }, quietly);
  assert.deepEqual(verdict.faults(), []);
});
