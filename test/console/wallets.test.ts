import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWallet } from '../../console/text/shapes.ts';
import { walletsIn } from '../../console/text/wallets.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

test('an address counts once, however its letters are written', () => {
  const text = `"${ADDRESS}";${ADDRESS.toLowerCase()}\nAb\tab, Ab ${'x'.repeat(129)}`;
  assert.deepEqual(walletsIn(text), { wallets: [ADDRESS, 'Ab', 'ab'], repeated: 2, tooLong: 1 });
});

test('what cannot be an address is told from what can', () => {
  for (const wallet of [ADDRESS, 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4']) {
    assert.ok(isWallet(wallet), wallet);
  }
  for (const word of ['wallet', 'alice@example.com', '80351110224678912', ADDRESS.slice(1)]) {
    assert.ok(!isWallet(word), word);
  }
});
