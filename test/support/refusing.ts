import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusalCode } from '../../src/domain/refusal.ts';
import { assertProblem, changesNothing } from './checks.ts';
import type { Reply, TestRealm, TestService } from './service.ts';

export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
export const MAX = Number.MAX_SAFE_INTEGER;

/** The refusals of kinds, assets, reversals and holds, in refusals-in-depth.test.ts. */
export type DepthCode =
  | 'limit-reached'
  | 'realm-point-exists'
  | 'default-required'
  | 'bounds-crossed'
  | 'transaction-not-found'
  | 'not-reversible'
  | 'reversal-exceeded'
  | 'hold-not-found'
  | 'hold-closed'
  | 'hold-exceeded'
  | 'asset-exists'
  | 'asset-not-found';

/** The refusals of credits, debits and transfers, in points.test.ts. */
export type PointCode =
  | 'recipient-not-found'
  | 'realm-point-not-found'
  | 'self-transfer'
  | 'transfers-disabled'
  | 'not-transferable'
  | 'too-many-tokens'
  | 'member-frozen'
  | 'insufficient-points'
  | 'balance-limit';

/** The refusals of offers and claims, in offer-refusals.test.ts. */
export type OfferCode =
  | 'offer-exists'
  | 'offer-not-found'
  | 'offer-incomplete'
  | 'offer-closed'
  | 'offer-sold-out'
  | 'offer-limit-reached'
  | 'offer-requirement'
  | 'price-changed'
  | 'offer-open'
  | 'offer-drawn'
  | 'draw-outdated'
  | 'claim-not-found'
  | 'claim-closed';

/** The refusals of proofs, in wallet-proofs.test.ts: they need signing keys. */
export type ProofCode =
  | 'wallet-not-found'
  | 'challenge-not-found'
  | 'challenge-mismatch'
  | 'challenge-used'
  | 'challenge-expired'
  | 'signature-invalid'
  | 'chain-unavailable';

/** The refusals of what is archived or deleted, in archiving.test.ts and realm-deletion.test.ts. */
export type ArchiveCode =
  | 'realm-archived'
  | 'realm-being-deleted'
  | 'default-archived'
  | 'realm-point-archived';

/** Member 1 has 100 points, 2 has the maximum, 3 is frozen. */
export async function refusingRealm(service: TestService, id: string): Promise<TestRealm> {
  const realm = await service.realm(id, { maxTokensPerRequest: MAX - 1 });
  const accounts = [{ provider: 'discord', id: '77' }];
  await realm.member('1', 100, { wallets: [WALLET], accounts });
  await realm.member('2', MAX - 1);
  await realm.expect(200, 'PATCH', '/members/2/tokenBalance', { body: { tokens: 1 } });
  await realm.member('3', 5);
  await realm.expect(200, 'PATCH', '/members/3', { body: { status: 'frozen' } });
  return realm;
}

export interface Refusing {
  /** Sets up the case. */
  given?: (realm: TestRealm) => Promise<unknown>;
  ask: (realm: TestRealm) => Promise<Reply>;
  extra?: object | ((realm: TestRealm) => object);
}

/** Tests every case of every code: the whole problem, and that nothing changes. */
export function testRefusals(
  service: TestService,
  refusals: Partial<Record<RefusalCode, Refusing[]>>,
): void {
  for (const [code, cases] of Object.entries(refusals) as [RefusalCode, Refusing[]][]) {
    test(`${code} changes nothing`, async () => {
      for (const [index, { given, ask, extra = {} }] of cases.entries()) {
        const realm = await refusingRealm(service, `${code}-${index}`);
        await given?.(realm);
        const reply = await changesNothing(realm, () => ask(realm));
        assertProblem(reply, code, typeof extra === 'function' ? extra(realm) : extra);
        // A second attempt is refused too: the first one left no trace.
        assert.equal((await ask(realm)).json.code, code);
      }
    });
  }
}
