import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { type Sent, serviceForFile, type TestRealm } from '../support/service.ts';

/** Invalid bodies: each is rejected with a clear problem and changes nothing. */
const service = await serviceForFile();
const LIMIT = 512 * 1024;

/** A realm with member 1 (1,000 points) and member 2 (none). */
async function pair(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 1_000);
  await realm.member('2');
  return realm;
}

/** The two calls that move points, and what else their bodies need. */
const moves = [
  { path: '/members/1/tokenBalance', besides: '', whole: [5] },
  { path: '/members/1/transfer', besides: ',"recipientId":2', whole: [5] },
];

for (const { path, besides } of moves) {
  const name = path.split('/').at(-1);

  test(`${name}: tokens that are not an integer`, async () => {
    const realm = await pair(`tokens-${name}`);
    const texts = ['0', '0.0', '-0', '0e5', '5.5', '"5"', 'null', 'true', '[5]', '{}', '1e400'];
    texts.push('9007199254740992', '-9007199254740992', '1e16', '9007199254740993', '-1e400');
    texts.push('5.00000000000000000001', '9'.repeat(101), `${'9'.repeat(400)}.5`, '1e-5');
    if (name === 'transfer') texts.push('-5', '-1');
    await changesNothing(realm, async () => {
      for (const text of texts) {
        const raw = `{"tokens":${text}${besides}}`;
        assertFaults(await realm.send('PATCH', path, { raw }), '/tokens');
      }
      const without = { raw: `{"a":1${besides}}` };
      assertFaults(await realm.send('PATCH', path, without), '/tokens');
    });
  });

  test(`${name}: every spelling of an integer is accepted`, async () => {
    const realm = await pair(`spellings-${name}`);
    await realm.expect(200, 'PATCH', path, { raw: `{"tokens":1e2${besides}}` });
    await realm.expect(200, 'PATCH', path, { raw: `{"tokens":5.0${besides}}` });
    await realm.expect(200, 'PATCH', path, { raw: `{"tokens":0.1E+2${besides}}` });
    await realm.expect(200, 'PATCH', path, { raw: ` \r\n\t{ "tokens" : 500e-2 ${besides} }\n` });
    const moved = 100 + 5 + 10 + 5;
    assert.equal(await realm.balance('1'), name === 'transfer' ? 1_000 - moved : 1_000 + moved);
  });

  test(`${name}: bodies that are not JSON`, async () => {
    const realm = await pair(`no-json-${name}`);
    const texts = [
      '',
      ' ',
      '{',
      '{"tokens":5',
      `{"tokens":5${besides}}x`,
      "{'tokens':5}",
      'tokens',
    ];
    texts.push(
      '{"tokens":05}',
      '{"tokens":+5}',
      '{"tokens":.5}',
      '{"tokens":5.}',
      '{"tokens":Infinity}',
    );
    texts.push('{"tokens":5,}', '{tokens:5}', '{"tokens":0x10}', '{"a":"\n"}', '{"a":"\\x"}', '[5');
    const utf8 = [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from('{"a":"é"}', 'latin1')];
    utf8.push(
      Buffer.from(`\ufeff{"tokens":5${besides}}`),
      Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'),
    );
    await changesNothing(realm, async () => {
      for (const raw of [...texts, ...utf8]) {
        assertProblem(await realm.send('PATCH', path, { raw }), 'malformed-json');
      }
    });
  });

  test(`${name}: JSON that is not accepted`, async () => {
    const realm = await pair(`not-taken-${name}`);
    const cases: [raw: string, ...pointers: string[]][] = [
      [`[{"tokens":5${besides}}]`, ''],
      ['5', ''],
      ['"tokens"', ''],
      ['null', ''],
      [`{"tokens":5${besides},"__proto__":{"tokens":7}}`, '/__proto__'],
      [`{"tokens":5${besides},"description":"\\ud800"}`, '/description'],
      [`{"tokens":5${besides},"description":"a\\u0000b"}`, '/description'],
      [`{"tokens":5${besides},"description":"${'é'.repeat(501)}"}`, '/description'],
      [`{"tokens":5${besides},"description":7}`, '/description'],
      [`{"tokens":5${besides},"description":null}`, '/description'],
      [`{"tokens":5${besides},"realmPointId":"Points"}`, '/realmPointId'],
      [`{"tokens":5${besides},"realmPointId":5}`, '/realmPointId'],
      [`{"tokens":"5"${besides},"realmPointId":"points'--"}`, '/tokens', '/realmPointId'],
    ];
    const deep = (levels: number) =>
      `{"tokens":5${besides},"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    await changesNothing(realm, async () => {
      for (const [raw, ...pointers] of cases) {
        assertFaults(await realm.send('PATCH', path, { raw }), ...pointers);
      }
      for (const raw of [deep(100), deep(200_000)]) {
        assertProblem(await realm.send('PATCH', path, { raw }), 'invalid-request');
      }
    });
  });

  test(`${name}: a body over the limit is 413, one just under it is read`, async () => {
    const realm = await pair(`large-${name}`);
    const padded = (size: number) => `{"tokens":5${besides}}`.padEnd(size);
    await changesNothing(realm, async () => {
      for (const size of [LIMIT + 1, 2 * LIMIT]) {
        const reply = await realm.send('PATCH', path, { raw: padded(size) });
        assertProblem(reply, 'body-too-large', { limit: LIMIT });
      }
    });
    await realm.expect(200, 'PATCH', path, { raw: padded(LIMIT) });
  });

  test(`${name}: other content types are 415`, async () => {
    const realm = await pair(`types-${name}`);
    const raw = `{"tokens":5${besides}}`;
    const send = (type: string) =>
      realm.send('PATCH', path, { raw, headers: { 'content-type': type } });
    const wrong = ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded'];
    wrong.push('application/json; charset=latin1', 'application/json; charset=utf-16', 'rubbish');
    wrong.push(
      'application/jsonp',
      'text/json',
      'application/xml',
      'multipart/form-data',
      ';',
      '*/*',
    );
    await changesNothing(realm, async () => {
      for (const type of wrong) assertProblem(await send(type), 'unsupported-media-type');
    });
    const right = ['application/json', 'APPLICATION/JSON', 'application/json; charset=UTF-8'];
    right.push('application/json;charset="utf-8"', 'application/merge-patch+json');
    for (const type of right) assert.equal((await send(type)).status, 200, type);
  });

  test(`${name}: an encoded body is 415`, async () => {
    const realm = await pair(`encodings-${name}`);
    const raw = `{"tokens":5${besides}}`;
    const send = (encoding: string) =>
      realm.send('PATCH', path, { raw, headers: { 'content-encoding': encoding } });
    await changesNothing(realm, async () => {
      for (const encoding of ['gzip', 'br', 'identity, gzip']) {
        const reply = await send(encoding);
        assertProblem(reply, 'unsupported-media-type');
        assert.ok(reply.json.detail.includes(`"Content-Encoding: ${encoding}"`), reply.text);
      }
    });
    for (const encoding of ['identity', 'Identity']) {
      assert.equal((await send(encoding)).status, 200, encoding);
    }
  });
}

test('all faults of a request are reported at once', async () => {
  const realm = await pair('at-once');
  const sent: Sent = { body: { tokens: 1.5, description: 1 }, headers: { 'idempotency-key': 'ö' } };
  await changesNothing(realm, async () => {
    const reply = await service.send(
      'PATCH',
      '/api/v4/realms/a b/members/0/transfer'.replace(' ', '%20'),
      sent,
    );
    const places = ['/path/realmID', '/path/memberID', '/header/idempotency-key'];
    assertFaults(reply, ...places, '/tokens', '/recipientId', '/description');
    const entries = [{ memberId: 1, tokens: 5 }, { memberId: 0, tokens: 5 }, { tokens: '5' }, 7];
    const batch = await realm.send('PATCH', '/members/tokenBalance', { body: { entries } });
    const inEntries = ['/entries/1/memberId', '/entries/2/memberId', '/entries/2/tokens'];
    assertFaults(batch, ...inEntries, '/entries/3');
  });
});

test('a list of invalid entries is rejected quickly and briefly', async () => {
  const realm = await pair('lists');
  const wrong = (name: string, count: number) => `{"${name}":[${'0,'.repeat(count)}0]}`;
  await changesNothing(realm, async () => {
    for (const count of [999, 10_000, 200_000]) {
      const entries = await realm.send('PATCH', '/members/tokenBalance', {
        raw: wrong('entries', count),
      });
      const wallets = await realm.send('POST', '/members/includes', {
        raw: wrong('wallets', count),
      });
      for (const [reply, most] of [
        [entries, 1_000],
        [wallets, 10_000],
      ] as const) {
        assertProblem(reply, 'invalid-request');
        assert.equal(reply.json.errors.length, count < most ? 100 : 1);
      }
    }
  });
});
