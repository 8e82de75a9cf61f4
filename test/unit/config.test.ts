import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lacksPublicUrl, readConfig } from '../../src/config.ts';

/** Settings that depend on one another. */
test('without PUBLIC_URL a service that others may reach is warned about', () => {
  for (const HOST of ['', '127.0.0.1', '127.8.8.8', 'localhost', '::1']) {
    assert.equal(lacksPublicUrl(readConfig({ HOST })), false, HOST);
  }
  for (const HOST of ['0.0.0.0', '::', '10.0.0.7', 'realmkeep.example', '127.example']) {
    assert.equal(lacksPublicUrl(readConfig({ HOST })), true, HOST);
    const PUBLIC_URL = 'https://acme.example';
    assert.equal(lacksPublicUrl(readConfig({ HOST, PUBLIC_URL })), false, HOST);
  }
});

test('PUBLIC_URL is as given, or nobody’s until the port is known', () => {
  assert.equal(readConfig({ PORT: '0' }).publicUrl, null);
  assert.equal(readConfig({ PUBLIC_URL: 'http://a.example/b' }).publicUrl, 'http://a.example/b');
  assert.throws(() => readConfig({ PUBLIC_URL: 'a.example' }), /PUBLIC_URL must be/);
});
