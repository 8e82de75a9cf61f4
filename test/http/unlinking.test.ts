import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Unlinking, and which wallet is the primary one. */
const service = await serviceForFile();
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
const SEGWIT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

async function holder(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1');
  for (const address of [EVM, SOLANA, SEGWIT]) {
    await realm.expect(201, 'POST', '/members/1/wallets', { body: { address } });
  }
  return realm;
}

const unlink = (realm: TestRealm, address: string, id = '1') =>
  realm.send('DELETE', `/members/${id}/wallets/${encodeURIComponent(address)}`);

const shown = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/web3/members/1')).json.wallets.map(
    (wallet: { address: string; primary: boolean }) => [wallet.address, wallet.primary],
  );

const lastEvent = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/events?limit=500')).json.items.at(-1);

test('a wallet is unlinked in any spelling, is free again, and leaves a record', async () => {
  const realm = await holder('spelling');
  await realm.member('2');
  const chains: Record<string, string> = {
    [SEGWIT]: 'bitcoin',
    [SOLANA]: 'solana',
    [EVM]: 'eip155',
  };
  for (const address of [SEGWIT, SOLANA, EVM]) {
    const spelling = address === SOLANA ? address : address.toUpperCase();
    const reply = await unlink(realm, spelling);
    assert.deepEqual([reply.status, reply.text], [204, '']);
    const { type, data } = await lastEvent(realm);
    assert.equal(type, 'wallet.unlinked');
    assert.deepEqual(data, { memberId: '1', address, chain: chains[address] });
    await realm.expect(201, 'POST', '/members/2/wallets', { body: { address } });
  }
  assert.deepEqual(await shown(realm), []);
  assert.deepEqual((await realm.expect(200, 'GET', '/members/1')).json.wallets, []);
});

test('the oldest remaining wallet becomes primary, and the record says so', async () => {
  const realm = await holder('heirs');
  await realm.expect(201, 'POST', '/members/1/wallets', {
    body: { address: SEGWIT, primary: true },
  });
  assert.deepEqual((await shown(realm))[0], [SEGWIT, true]);
  await unlink(realm, SEGWIT);
  assert.deepEqual(await shown(realm), [
    [EVM, true],
    [SOLANA, false],
  ]);
  assert.equal((await lastEvent(realm)).data.newPrimary, EVM);
  await unlink(realm, SOLANA);
  assert.equal('newPrimary' in (await lastEvent(realm)).data, false);
  assert.deepEqual(await shown(realm), [[EVM, true]]);
});

test('unlinking a wallet that the member does not have is 404 and changes nothing', async () => {
  const realm = await holder('none');
  await realm.member('2');
  await unlink(realm, SOLANA);
  await changesNothing(realm, async () => {
    for (const address of [SOLANA, 'rubbish', '0x0', `${EVM}0`, ' ', '🦄', 'x'.repeat(128)]) {
      assertProblem(await unlink(realm, address), 'wallet-not-found', { wallet: address });
    }
    assertProblem(await unlink(realm, EVM, '2'), 'wallet-not-found', { wallet: EVM });
    assertProblem(await unlink(realm, EVM, '99'), 'member-not-found', { memberId: '99' });
    assertFaults(await unlink(realm, 'x'.repeat(129)), '/path/address');
    assertFaults(await unlink(realm, EVM, '0'), '/path/memberID');
    // Another path's word is not an address, and that path has no DELETE.
    assert.equal((await unlink(realm, 'challenge')).status, 405);
  });
});

test('of many concurrent unlinkings one takes effect', async () => {
  const realm = await holder('race');
  const replies = await Promise.all(Array.from({ length: 50 }, () => unlink(realm, EVM)));
  assert.equal(replies.filter((reply) => reply.status === 204).length, 1);
  assert.equal(replies.filter((reply) => reply.json?.code === 'wallet-not-found').length, 49);
  assert.deepEqual(await shown(realm), [
    [SOLANA, true],
    [SEGWIT, false],
  ]);
});

test('concurrent linking and unlinking leaves one primary wallet', async () => {
  const realm = await holder('storm');
  const wallets = [EVM, SOLANA, SEGWIT];
  await Promise.all(
    Array.from({ length: 120 }, (_, index) => {
      const address = wallets[index % 3] as string;
      const body = { address, primary: index % 5 === 0 };
      return index % 2
        ? unlink(realm, address)
        : realm.send('POST', '/members/1/wallets', { body });
    }),
  );
  await realm.expect(201, 'POST', '/members/1/wallets', { body: { address: EVM } });
  const primaries = (await shown(realm)).filter(([, primary]: [string, boolean]) => primary);
  assert.equal(primaries.length, 1);
});
