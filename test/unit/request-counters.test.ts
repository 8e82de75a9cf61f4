import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestCounters } from '../../src/http/request-counters.ts';

const MAX_REALMS = 500;

test('the series of realms are bounded, and every request is in one of them', () => {
  const counters = new RequestCounters();
  const countOf = (realm: string): number | undefined =>
    counters.byRealm.get(realm)?.reduce((sum, one) => sum + one);
  for (let round = 1; round <= 2; round++) {
    for (let index = 0; index < 2 * MAX_REALMS; index++) counters.addRealm(`realm-${index}`, 200);
    assert.equal(counters.byRealm.size, MAX_REALMS + 1);
    assert.equal(countOf(`realm-${MAX_REALMS - 1}`), round);
    assert.equal(countOf(`realm-${MAX_REALMS}`), undefined);
    assert.equal(countOf('_other'), round * MAX_REALMS);
  }
});
