import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';
import { challenge, evmSigner, linkProved, prove, signers } from '../support/signers.ts';

/** Proofs of ownership: challenges, signatures, and everything invalid. */
const service = await serviceForFile();

async function realmOf(id: string, settings: object = {}): Promise<TestRealm> {
  const realm = await service.realm(id, settings);
  await realm.member('42');
  await realm.member('43');
  return realm;
}

const walletsOf = async (realm: TestRealm, id = '42') =>
  (await realm.expect(200, 'GET', `/web3/members/${id}`)).json.wallets;

const eventsOf = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/events?limit=500')).json.items;

for (const [index, [name, signer]] of Object.entries(signers).entries()) {
  test(`${name}: a signed challenge links the wallet as verified, and is recorded`, async () => {
    const realm = await realmOf(`proof-${index}`);
    const { address, sign } = signer();
    const message = await challenge(realm, '42', address);
    const signature = sign(message);
    const { json } = await prove(realm, '42', { address, message, signature });
    assert.deepEqual([json.verified, json.primary, json.verifiedAt], [true, true, json.linkedAt]);
    assert.deepEqual(await walletsOf(realm), [json]);
    const [linked, verified] = (await eventsOf(realm)).slice(-2);
    assert.equal(linked.type, 'wallet.linked');
    assert.equal(verified.type, 'wallet.verified');
    const { address: shown, chain } = json;
    assert.equal(json.verifiedOn, null, 'a key is the same on all chains');
    const wallet = { address: shown, chain, verifiedOn: null };
    assert.deepEqual(verified.data, { memberId: '42', ...wallet, message, signature });
    const check = { body: { wallets: [address] } };
    const { results } = (await realm.expect(200, 'POST', '/members/includes', check)).json;
    assert.deepEqual(results, [
      { wallet: address, included: true, memberId: '42', verified: true },
    ]);
  });

  test(`${name}: a signature by another key or of another message is refused`, async () => {
    const realm = await realmOf(`wrong-${index}`);
    const [own, other] = [signer(), signer()];
    const message = await challenge(realm, '42', own.address);
    await changesNothing(realm, async () => {
      for (const signature of [other.sign(message), own.sign(`${message} `), own.sign('')]) {
        const reply = await prove(realm, '42', { address: own.address, message, signature });
        assertProblem(reply, 'signature-invalid');
      }
    });
    // Refusals do not use up the challenge.
    const signature = own.sign(message);
    assert.equal((await prove(realm, '42', { ...own, message, signature })).status, 201);
  });

  test(`${name}: malformed signatures are rejected`, async () => {
    const realm = await realmOf(`malformed-${index}`);
    const { address, sign } = signer();
    const message = await challenge(realm, '42', address);
    const good = sign(message);
    const wrong = ['x', `${good}!`, ` ${good}`, '0x', `${good}\n`, '0xzz', '🦄', '===='];
    await changesNothing(realm, async () => {
      for (const signature of ['', ...wrong, 'x'.repeat(16_385)]) {
        assertFaults(await prove(realm, '42', { address, message, signature }), '/signature');
      }
      // A truncated signature is invalid.
      const reply = await prove(realm, '42', { address, message, signature: good.slice(0, -4) });
      assert.ok([400, 422].includes(reply.status), reply.text);
    });
  });
}

test('a linked wallet becomes verified, and can be verified again', async () => {
  const realm = await realmOf('later');
  const signer = evmSigner();
  await realm.expect(201, 'POST', '/members/42/wallets', { body: { address: signer.address } });
  const [before] = await walletsOf(realm);
  assert.deepEqual([before.verified, before.verifiedAt], [false, null]);
  assert.equal(await recordsOf(realm, () => linkProved(realm, '42', signer)), 1);
  const [after] = await walletsOf(realm);
  assert.deepEqual({ ...before, verified: true, verifiedAt: after.verifiedAt }, after);
  assert.equal((await linkProved(realm, '42', signer)).json.linkedAt, before.linkedAt);
  // Linked again without a proof, it stays verified.
  await realm.expect(201, 'POST', '/members/42/wallets', { body: { address: signer.address } });
  assert.equal((await walletsOf(realm))[0].verified, true);
});

test('a challenge leaves no record; it names realm, member, site and time', async () => {
  const realm = await realmOf('words', { siteUrl: 'https://acme.example/verify' });
  const { address } = evmSigner();
  const asked = { body: { address, chain: 'eip155:8453' } };
  const send = () => realm.expect(201, 'POST', '/members/42/wallets/challenge', asked);
  const { message, expiresAt } = await changesNothing(realm, async () => (await send()).json);
  const lines: string[] = message.split('\n');
  assert.equal(lines[0], 'acme.example wants you to sign in with your Ethereum account:');
  assert.equal(lines[1]?.toLowerCase(), address);
  assert.equal(lines[3], 'Link this wallet to member 42 of realm words.');
  assert.deepEqual(lines.slice(5, 8), [
    'URI: https://acme.example/verify',
    'Version: 1',
    'Chain ID: 8453',
  ]);
  assert.equal(lines.at(-1), `Expiration Time: ${expiresAt}`);
  const issuedAt = lines.find((line) => line.startsWith('Issued At: '))?.slice(11) ?? '';
  assert.equal(Date.parse(expiresAt) - Date.parse(issuedAt), 600_000);
  assert.notEqual((await send()).json.message, message);
  await realm.expect(200, 'PATCH', '', { body: { settings: { siteUrl: null } } });
  const host = `localhost:${new URL(service.url).port}`;
  assert.ok((await send()).json.message.startsWith(`${host} wants you`), 'the port in use');
});

test('invalid challenges are refused', async () => {
  const realm = await realmOf('off');
  const ask = (body: object, id = '42') =>
    realm.send('POST', `/members/${id}/wallets/challenge`, { body });
  const { address } = evmSigner();
  await changesNothing(realm, async () => {
    assertFaults(await ask({}), '/address');
    assertFaults(await ask({ address: 'rubbish' }), '/address');
    assertFaults(await ask({ address, chain: 'solana' }), '/address');
    for (const chain of ['eip155:0', 'eip155:', 'eip155:x', 'solana:1', 'EIP155', 5, null]) {
      assertFaults(await ask({ address, chain }), '/chain');
    }
    // No single key signs for a script.
    const script = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';
    assertFaults(await ask({ address: script }), '/address');
    assertProblem(await ask({ address }, '99'), 'member-not-found', { memberId: '99' });
    assertFaults(await prove(realm, '42', { address, message: 'x' } as never), '/signature');
    assertFaults(await prove(realm, '42', { address, signature: '0x00' } as never), '/message');
  });
  for (const siteUrl of ['acme.example', 'ftp://a', 'https://', 'https://a b', 'https://a?b', 5]) {
    const reply = await realm.send('PATCH', '', { body: { settings: { siteUrl } } });
    assertFaults(reply, '/settings/siteUrl');
  }
});

test('a wallet of another member can be neither challenged nor proved', async () => {
  const realm = await realmOf('taken');
  const signer = evmSigner();
  const message = await challenge(realm, '43', signer.address);
  await linkProved(realm, '42', signer);
  const proof = { address: signer.address, message, signature: signer.sign(message) };
  await changesNothing(realm, async () => {
    const asked = { body: { address: signer.address } };
    const reply = await realm.send('POST', '/members/43/wallets/challenge', asked);
    assertProblem(reply, 'wallet-taken', { memberId: '42' });
    assertProblem(await prove(realm, '43', proof), 'wallet-taken', { memberId: '42' });
  });
});

/** Each way in which a challenge can differ from the issued one. */
test('a challenge is bound to its realm, member, address, domain and text', async () => {
  const [realm, other] = [await realmOf('bound'), await realmOf('bound-2')];
  const signer = evmSigner();
  const message = await challenge(realm, '42', signer.address);
  const [first = '', second = '', ...rest] = message.split('\n');
  const send = (to: TestRealm, id: string, text: string, by = signer) =>
    prove(to, id, { address: by.address, message: text, signature: by.sign(text) });
  const altered: [text: string, field: string][] = [
    [[`evil.example${first.slice(first.indexOf(' '))}`, second, ...rest].join('\n'), 'domain'],
    [message.replace('localhost', 'localhost.evil.example'), 'domain'],
    [[first, `0x${'0'.repeat(40)}`, ...rest].join('\n'), 'address'],
    [message.replace('member 42', 'member 43'), 'member'],
    [message.replace('realm bound', 'realm bound-2'), 'realm'],
    [message.replace('Link this', 'Link that'), 'text'],
    [message.replace('Ethereum', 'Solana'), 'text'],
    [message.replace('Chain ID: 1', 'Chain ID: 10'), 'text'],
    [message.replace('URI: http:', 'URI: https:'), 'text'],
    [message.replace(/(Expiration Time: )2/, '$19'), 'text'],
    [`${message}\n`, 'text'],
    [`${message}\nResources:\n- https://evil.example`, 'text'],
    [message.replaceAll('\n', '\r\n'), 'text'],
  ];
  await changesNothing(realm, async () => {
    for (const [text, field] of altered) {
      const reply = await send(realm, '42', text);
      assertProblem(reply, 'challenge-mismatch', { field });
    }
    assertProblem(await send(realm, '43', message), 'challenge-mismatch', { field: 'member' });
    const stranger = await send(realm, '42', message, evmSigner());
    assertProblem(stranger, 'challenge-mismatch', { field: 'address' });
    for (const text of ['x', message.replace(/Nonce: ./, 'Nonce: z'), message.slice(0, 60)]) {
      assertProblem(await send(realm, '42', text), 'challenge-not-found');
    }
  });
  const elsewhere = await changesNothing(other, () => send(other, '42', message));
  assertProblem(elsewhere, 'challenge-mismatch', { field: 'realm' });
  assert.equal((await send(realm, '42', message)).status, 201);
});

const inDatabase = (sql: string): Promise<void> => service.database.exec(sql);

test('an expired challenge is refused, even after its deletion', async () => {
  const realm = await realmOf('expired');
  const { address, sign } = evmSigner();
  const message = await challenge(realm, '42', address);
  const proof = { address, message, signature: sign(message) };
  const end = Date.now() - 1;
  await inDatabase(`UPDATE challenges SET expires_at = ${end} WHERE realm_id = 'expired'`);
  const expiredAt = new Date(end).toISOString();
  const late = await changesNothing(realm, () => prove(realm, '42', proof));
  assertProblem(late, 'challenge-expired', { expiredAt });
  await inDatabase(`DELETE FROM challenges WHERE realm_id = 'expired'`);
  const old = message.replace(/Expiration Time: .*/, `Expiration Time: ${expiredAt}`);
  const forgotten = { address, message: old, signature: sign(old) };
  assertProblem(await prove(realm, '42', forgotten), 'challenge-expired', { expiredAt });
});

test('a challenge is valid once, even after an unlinking and a restart', async () => {
  const realm = await realmOf('once');
  const { address, sign } = evmSigner();
  const message = await challenge(realm, '42', address);
  const proof = { address, message, signature: sign(message) };
  const headers = { 'idempotency-key': 'proof-1' };
  const first = await prove(realm, '42', proof, headers);
  assert.equal(first.status, 201);
  const again = () => changesNothing(realm, () => prove(realm, '42', proof));
  assertProblem(await again(), 'challenge-used');
  await realm.expect(204, 'DELETE', `/members/42/wallets/${address}`);
  assertProblem(await again(), 'challenge-used');
  await service.restart();
  assertProblem(await again(), 'challenge-used');
  // A retry with its idempotency key is not a second use.
  const retry = await changesNothing(realm, () => prove(realm, '42', proof, headers));
  assert.deepEqual([retry.status, retry.json], [201, first.json]);
  assert.equal(retry.headers['idempotent-replayed'], 'true');
});

test('of a hundred concurrent uses of one challenge, one takes effect', async () => {
  const realm = await realmOf('race');
  const { address, sign } = evmSigner();
  const message = await challenge(realm, '42', address);
  const proof = { address, message, signature: sign(message) };
  const use = () => Promise.all(Array.from({ length: 100 }, () => prove(realm, '42', proof)));
  let replies: Awaited<ReturnType<typeof use>> = [];
  const records = await recordsOf(realm, async () => {
    replies = await use();
  });
  assert.equal(records, 2);
  assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
  for (const reply of replies) if (reply.status !== 201) assertProblem(reply, 'challenge-used');
});

test('of many members that prove one wallet at once, one gets it', async () => {
  const realm = await realmOf('contest');
  const { address, sign } = evmSigner();
  const ids = Array.from({ length: 20 }, (_, index) => String(100 + index));
  const texts = await Promise.all(
    ids.map(async (id) => challenge(realm, await realm.member(id), address)),
  );
  const replies = await Promise.all(
    texts.map((message, index) =>
      prove(realm, ids[index] ?? '', { address, message, signature: sign(message) }),
    ),
  );
  assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
  assert.equal(replies.filter((reply) => reply.json.code === 'wallet-taken').length, 19);
});
