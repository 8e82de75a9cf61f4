import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newSecret, SecretBox, secretsOf, signedHeaders } from '../../src/webhooks/messages.ts';

const body = JSON.stringify({ seq: 1, type: 'member.created', data: { displayName: 'Zoë' } });
const id = 'msg_q7Lm20RtYb5c_1';

test('the package standardwebhooks accepts a signature by each secret, and nothing else', () => {
  const [current, previous, retired] = [newSecret(), newSecret(), newSecret()];
  const headers = signedHeaders({ id, at: Date.now(), body }, [current, previous]);
  for (const secret of [current, previous]) {
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  }
  const verify = (changes: object, text = body, secret = current) =>
    new Webhook(secret).verify(text, { ...headers, ...changes });
  assert.throws(() => verify({}, body, retired), /No matching signature/);
  assert.throws(() => verify({}, body.replace('Zoë', 'Zoe')), /No matching signature/);
  assert.throws(() => verify({ 'webhook-id': 'msg_q7Lm20RtYb5c_2' }), /No matching signature/);
  for (const ageMs of [6 * 60_000, -6 * 60_000]) {
    const other = signedHeaders({ id, at: Date.now() - ageMs, body }, [current]);
    assert.throws(() => new Webhook(current).verify(body, other), /timestamp/);
  }
});

test('a sealed secret opens with its key, for its owner, unchanged', () => {
  const [key, other] = [new SecretBox('k'.repeat(32)), new SecretBox('l'.repeat(32))];
  const secret = newSecret();
  const sealed = key.seal(secret, 'acme/one');
  assert.equal(key.open(sealed, 'acme/one'), secret);
  assert.equal(new SecretBox('k'.repeat(32)).open(sealed, 'acme/one'), secret);
  assert.ok(sealed.startsWith(`${key.keyId}.`) && !sealed.includes(secret.slice(6, 20)));
  assert.notEqual(key.seal(secret, 'acme/one'), sealed, 'nonces differ');
  assert.equal(key.open(sealed, 'acme/two'), null);
  assert.equal(other.open(sealed, 'acme/one'), null);
  assert.equal(other.open(sealed.replace(key.keyId, other.keyId), 'acme/one'), null);
  for (const text of ['', '.', `${key.keyId}.`, `${key.keyId}.AAAA`, sealed.slice(0, -4)]) {
    assert.equal(key.open(text, 'acme/one'), null, text);
  }
});

test('during the overlap of a rotation both secrets sign, if both can be opened', () => {
  const [box, lost] = [new SecretBox('k'.repeat(32)), new SecretBox('l'.repeat(32))];
  const sealed = (text: string, by = box) => by.seal(text, 'acme/one');
  const row = { id: 'one', secret: sealed('new'), previousSecret: sealed('old') };
  assert.deepEqual(secretsOf(box, 'acme', { ...row, previousUntil: 10 }, 9), ['new', 'old']);
  assert.deepEqual(secretsOf(box, 'acme', { ...row, previousUntil: 10 }, 10), ['new']);
  const rotated = { ...row, previousSecret: sealed('old', lost), previousUntil: 10 };
  assert.deepEqual(secretsOf(box, 'acme', rotated, 9), ['new']);
});
