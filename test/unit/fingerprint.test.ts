import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Call, fingerprintOf } from '../../src/http/calls.ts';

const params: Call<'transferPoints'>['params'] = {
  realmID: 'acme',
  memberID: '9007199254740993',
};
// @ts-expect-error A handler cannot read a parameter that its path does not have.
params.keyID;

const transfer = (body: object): string =>
  fingerprintOf({ operationId: 'transferPoints', params, body: body as never });

/** Fingerprints are stored for 30 days or more: if they changed, retries would be refused. */
test('the fingerprint of a request is stable across versions', () => {
  const [tokens, recipientId, description] = [5, 9007199254740995n, 'Grüße "😀"'];
  assert.equal(transfer({ tokens, recipientId, description }), 'oatlzM9L77v5E1kQIkm1zZ');
  assert.equal(transfer({ description, recipientId, tokens }), 'oatlzM9L77v5E1kQIkm1zZ');
  assert.notEqual(
    transfer({ tokens, recipientId: String(recipientId), description }),
    'oatlzM9L77v5E1kQIkm1zZ',
  );
  const entries = Array.from({ length: 200 }, (_, index) => ({ memberId: `${index}`, tokens: 1 }));
  assert.equal(transfer({ entries }), 'ndr6A4jouYKMjlzmFPb9dt');
});
