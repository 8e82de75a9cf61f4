import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lacksPublicUrl, readConfig } from '../../src/config.ts';

/** Settings that depend on one another. */
test('PUBLIC_URL is missing if other machines can reach the service', () => {
  for (const HOST of ['', '127.0.0.1', '127.8.8.8', 'localhost', '::1']) {
    assert.equal(lacksPublicUrl(readConfig({ HOST })), false, HOST);
  }
  for (const HOST of ['0.0.0.0', '::', '10.0.0.7', 'realmkeep.example', '127.example']) {
    assert.equal(lacksPublicUrl(readConfig({ HOST })), true, HOST);
    const PUBLIC_URL = 'https://acme.example';
    assert.equal(lacksPublicUrl(readConfig({ HOST, PUBLIC_URL })), false, HOST);
  }
});

test('PUBLIC_URL is null by default', () => {
  assert.equal(readConfig({ PORT: '0' }).publicUrl, null);
  assert.equal(readConfig({ PUBLIC_URL: 'http://a.example/b' }).publicUrl, 'http://a.example/b');
  assert.throws(() => readConfig({ PUBLIC_URL: 'a.example' }), /PUBLIC_URL must be/);
});

test('an unknown TLS parameter is a fault; other unknown parameters are ignored', () => {
  const at = (query: string) => () =>
    readConfig({ DATABASE_URL: `postgres://u:p@db.example/realms?${query}` });
  for (const query of ['sslmod=verify-full', 'sslMode=require', 'slmode=require', 'tls=true']) {
    const [parameter] = query.split('=');
    assert.throws(
      at(query),
      new RegExp(`DATABASE_URL has an unknown parameter ${parameter}; the TLS parameters are ssl,`),
    );
  }
  for (const query of ['sslmode=verify-full&sslrootcert=ca.pem', 'channel_binding=require']) {
    assert.doesNotThrow(at(query));
  }
});
