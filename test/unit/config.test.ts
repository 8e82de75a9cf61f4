import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lacksPublicUrl, pageUrl, readConfig, refusesPasskeys } from '../../src/config/config.ts';

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

test('people are led to a name, where browsers allow passkeys', () => {
  const pageOf = (env: Record<string, string>) => pageUrl(readConfig(env), 8080, '/join');
  assert.equal(pageOf({ HOST: '127.0.0.1' }), 'http://localhost:8080/join');
  assert.equal(pageOf({ PUBLIC_URL: 'https://a.example/wallets/' }), 'https://a.example/join');
  for (const [PUBLIC_URL, refuses] of [
    ['', false],
    ['https://a.example', false],
    ['http://localhost:9000', false],
    ['http://a.example', true],
    ['https://10.0.0.1', true],
  ] as const) {
    assert.equal(refusesPasskeys(readConfig({ PUBLIC_URL })), refuses, PUBLIC_URL);
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

test('BACKUP_DIR turns on backups, of SQLite only', () => {
  const backups = (settings: Record<string, string>) => readConfig(settings).backups;
  assert.equal(backups({}).folder, null);
  const daily = { folder: 'b', everyMs: 86_400_000, keep: 7 };
  assert.deepEqual(backups({ BACKUP_DIR: 'b' }), daily);
  const often = backups({ BACKUP_DIR: 'b', BACKUP_EVERY: '90m', BACKUP_KEEP: '3' });
  assert.deepEqual(often, { folder: 'b', everyMs: 5_400_000, keep: 3 });
  for (const wrong of ['0m', '1', 'h', '1s', '1.5h', '31d', '-1d', '1d ']) {
    assert.throws(() => backups({ BACKUP_EVERY: wrong }), /BACKUP_EVERY must be .* such as/, wrong);
  }
  assert.throws(() => backups({ BACKUP_KEEP: '0' }), /BACKUP_KEEP must be an integer from 1/);
  const server = { BACKUP_DIR: 'b', DATABASE_URL: 'postgres://db/books' };
  assert.throws(() => backups(server), /BACKUP_DIR must not be set with a PostgreSQL database/);
});

test('RATE_LIMIT is a rate with or without a burst, or off', () => {
  const limit = (RATE_LIMIT?: string) => readConfig({ RATE_LIMIT }).rateLimit;
  assert.deepEqual(limit(), { perSecond: 100, burst: 200 });
  assert.deepEqual(limit('50:75'), { perSecond: 50, burst: 75 });
  assert.deepEqual(limit('7'), { perSecond: 7, burst: 14 });
  assert.deepEqual(limit('1000000'), { perSecond: 1_000_000, burst: 1_000_000 });
  assert.equal(limit('off'), null);
  for (const wrong of [
    '0',
    '5:0',
    '-1',
    '1.5',
    '5/10',
    '5:',
    ':5',
    '1000001',
    'OFF',
    'none',
    '5:5:5',
  ]) {
    assert.throws(() => limit(wrong), /RATE_LIMIT must be off, or .* such as 100:200/, wrong);
  }
});

test('CORS_ORIGINS are exact origins, or any', () => {
  const origins = (CORS_ORIGINS?: string) => readConfig({ CORS_ORIGINS }).corsOrigins;
  assert.equal(origins(), null);
  assert.equal(origins('*'), '*');
  assert.deepEqual(origins('https://acme.example, http://localhost:5173'), [
    'https://acme.example',
    'http://localhost:5173',
  ]);
  const wrong = ['acme.example', 'https://acme.example/', 'https://acme.example:443', 'null'];
  const worse = [
    'https://*.example',
    'https://ACME.example',
    '*,https://acme.example',
    ',',
    'ftp://a',
  ];
  for (const text of [...wrong, ...worse]) {
    assert.throws(() => origins(text), /CORS_ORIGINS must be \*, or origins/, text);
  }
});

test('TRUSTED_PROXIES are addresses and networks', () => {
  const proxies = (TRUSTED_PROXIES?: string) => readConfig({ TRUSTED_PROXIES }).trustedProxies;
  assert.deepEqual(proxies(), []);
  assert.deepEqual(proxies('127.0.0.1, 10.0.0.0/8,::1,fd00::/8'), [
    '127.0.0.1',
    '10.0.0.0/8',
    '::1',
    'fd00::/8',
  ]);
  for (const text of [
    'proxy',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0/8',
    '1.2.3.4/-1',
    '*',
  ]) {
    assert.throws(() => proxies(text), /TRUSTED_PROXIES must be addresses or networks/, text);
  }
});
