import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordText } from '../../src/domain/rules/journal.ts';

/** Record hashes cover this text, so that any JSON library can reproduce it. */
test('the text of a record is what JSON.stringify() returns', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[a-z.:"\\ -]*$/),
    fc.constantFrom('points.transferred', 'key:AbC_9-', 'back\\slash', 'line\nfeed', '"', ''),
  );
  fc.assert(
    fc.property(text, text, text, fc.nat(), (realmId, type, actor, seq) => {
      const data = { tokens: 5, description: actor };
      const at = new Date(1_700_000_000_000);
      const record = { seq, type, at: at.getTime(), actor, data: JSON.stringify(data) };
      const expected = { realmId, seq, type, at: at.toISOString(), actor, data };
      for (const personalHash of [null, 'ab'.repeat(32)]) {
        const committed = personalHash === null ? expected : { ...expected, personalHash };
        assert.equal(recordText(realmId, { ...record, personalHash }), JSON.stringify(committed));
      }
    }),
  );
});
