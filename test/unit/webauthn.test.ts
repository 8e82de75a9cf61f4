import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  challengeIn,
  checkAssertion,
  PasskeyFault,
  readCbor,
  readRegistration,
} from '../../src/webauthn/ceremonies.ts';
import { ALGORITHMS, Authenticator, encode, type Said } from '../support/authenticator.ts';

const asked = { challenge: 'Y2hhbGxlbmdl', origin: 'https://points.example.com' };

const EXTENSIONS = encode(new Map([['credProtect', 2]]));

/** What may differ from the usual. */
const allowed: Record<string, Said> = {
  'as usual': {},
  'without a PIN': { flags: 0x01 },
  'synced between devices': { flags: 0x1d },
  'with extensions': { flags: 0x85, extensions: EXTENSIONS },
};

/** What is wrong, and what is said of it. */
const tampered: Record<string, [Said, RegExp]> = {
  'another origin': [{ origin: 'https://points.example.com.evil.example' }, /another address/],
  'another port': [{ origin: 'https://points.example.com:8443' }, /another address/],
  'another host': [{ host: 'example.com' }, /another host/],
  'another challenge': [{ challenge: 'b3RoZXI' }, /another challenge/],
  'another kind': [{ type: 'payment.get' }, /another kind/],
  'a page within another one': [{ crossOrigin: true }, /another site/],
  'nobody present': [{ flags: 0x44 }, /anybody present/],
  'a backup of what cannot be backed up': [{ flags: 0x55 }, /contradicts/],
  'extensions that are not there': [{ flags: 0xc5 }, /cannot be read/],
  'extensions that are not said': [{ extensions: EXTENSIONS }, /more or less/],
};

for (const algorithm of ALGORITHMS) {
  test(`${algorithm}: a passkey is added and signs, and nothing tampered with does`, () => {
    const own = new Authenticator(algorithm);
    const { id, publicKey, counter } = readRegistration(own.register(asked), asked);
    assert.equal(id, own.id.toString('base64url'));
    const passkey = { publicKey, counter };
    for (const [what, said] of Object.entries(allowed)) {
      const flags = said.flags === undefined ? {} : { flags: said.flags | 0x40 };
      assert.equal(
        readRegistration(own.register(asked, { ...said, ...flags }), asked).id,
        id,
        what,
      );
      assert.equal(checkAssertion(own.assert(asked, said), passkey, asked), 0, what);
    }
    for (const [what, [said, fault]] of Object.entries(tampered)) {
      const refused = (act: () => unknown) =>
        assert.throws(
          act,
          (error) => error instanceof PasskeyFault && fault.test(error.message),
          what,
        );
      refused(() => readRegistration(own.register(asked, said), asked));
      const flags = said.flags === undefined ? {} : { flags: said.flags & ~0x40 };
      refused(() => checkAssertion(own.assert(asked, { ...said, ...flags }), passkey, asked));
    }
    const others = new Authenticator(algorithm);
    const wrong = /wrong signature/;
    assert.throws(
      () => checkAssertion(own.assert(asked, { by: others.privateKey }), passkey, asked),
      wrong,
    );
    const sent = { ...own.assert(asked), signature: others.assert(asked).signature };
    assert.throws(() => checkAssertion(sent, passkey, asked), wrong);
  });
}

test('a counter has to go on, unless the authenticator does not count', () => {
  const own = new Authenticator();
  const { publicKey } = readRegistration(own.register(asked), asked);
  const check = (counter: number, stored: number) =>
    checkAssertion(own.assert(asked, { counter }), { publicKey, counter: stored }, asked);
  assert.equal(check(0, 0), 0);
  assert.equal(check(1, 0), 1);
  assert.equal(check(9, 8), 9);
  for (const [counter, stored] of [
    [8, 8],
    [7, 8],
    [0, 8],
  ] as const) {
    assert.throws(() => check(counter, stored), /its counter has not gone on/);
  }
});

test('a key of another algorithm, curve or strength is refused', () => {
  const es = new Authenticator('ES256');
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({
    format: 'jwk',
  });
  const changed = (...entries: [number, number | Buffer][]) => new Map([...es.cose(), ...entries]);
  const wrong: Map<number, number | Buffer>[] = [
    changed([3, -35]),
    changed([-1, 2]),
    changed([1, 1]),
    changed([-2, Buffer.alloc(32, 1)]),
    changed([-3, Buffer.alloc(0)]),
    new Map(),
    new Map<number, number | Buffer>([
      [1, 3],
      [3, -257],
      [-1, Buffer.from(String(weak.n), 'base64url')],
      [-2, Buffer.from(String(weak.e), 'base64url')],
    ]),
  ];
  for (const cose of wrong) {
    assert.throws(() => readRegistration(es.register(asked, { cose }), asked), PasskeyFault);
  }
});

test('whatever is sent in place of an answer is refused as one', () => {
  const own = new Authenticator();
  const good = own.register(asked);
  const { publicKey } = readRegistration(good, asked);
  const bytes = fc
    .uint8Array({ maxLength: 200 })
    .map((each) => Buffer.from(each).toString('base64url'));
  const refused = (act: () => unknown) => assert.throws(act, PasskeyFault);
  fc.assert(
    fc.property(bytes, fc.nat(400), (rubbish, at) => {
      refused(() => readRegistration({ ...good, attestationObject: rubbish }, asked));
      const cut = good.attestationObject.slice(0, at % good.attestationObject.length);
      refused(() => readRegistration({ ...good, attestationObject: cut }, asked));
      const sent = { ...own.assert(asked), signature: rubbish };
      refused(() => checkAssertion(sent, { publicKey, counter: 0 }, asked));
      refused(() => challengeIn(rubbish));
    }),
  );
});

test('CBOR is read as authenticators write it, and nothing else of it', () => {
  const value = new Map<unknown, unknown>([
    [1, -7],
    ['text', Buffer.from('bytes')],
    [-300, new Map()],
  ]);
  assert.deepEqual(readCbor(encode(value)).value, value);
  const wrong = ['', '5f', '9f', '1b0000000000000001', 'fb3ff0000000000000', '4401', 'a101', 'ff'];
  for (const hex of [...wrong, '8181818181818100']) {
    assert.throws(() => readCbor(Buffer.from(hex, 'hex')), RangeError, hex);
  }
});
