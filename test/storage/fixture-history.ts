import { FIRST_KIND } from '../../src/domain/model.ts';
import { DAY_MS } from '../../src/domain/rules/time.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import {
  ALICE,
  type HistoryOwner,
  Scribe,
  writeHistory,
  writeProofs,
} from '../cli/journal-history.ts';

const NOW = Date.parse('2026-11-15T12:00:00.000Z');
const SECRET_HASH = '0'.repeat(64);

/** Fills every table: what a fixture of a schema version is made of. */
export async function writeFixtureHistory(owner: HistoryOwner): Promise<void> {
  await writeHistory(owner);
  await writeProofs(owner);
  const ledger = await owner.database.ledger(() => NOW);
  await writeRest(ledger);
  await writeUnfinished(ledger);
  await ledger.close();
  await writeNextWeek(owner);
}

/** Who earns again leaves the leaderboard of the week before. */
async function writeNextWeek({ database }: HistoryOwner): Promise<void> {
  const ledger = await database.ledger(() => NOW + 2 * DAY_MS);
  const credit = { tokens: 1, realmPointId: null, description: null };
  await new Scribe(ledger).do('points.change', { memberId: ALICE, ...credit });
  await ledger.close();
}

/** What those histories leave no rows of. */
async function writeRest(ledger: Ledger): Promise<void> {
  const scribe = new Scribe(ledger);
  const details = { reference: 'quest-7', metadata: { level: 3 } };
  const words = { realmPointId: null, description: 'Quest', ...details };
  await ledger.execute({
    type: 'points.change',
    realmId: 'acme',
    actor: 'root',
    idempotency: { key: 'quest-7', fingerprint: 'f'.repeat(64) },
    memberId: ALICE,
    tokens: 5,
    ...words,
  });
  await scribe.do('hold.create', {
    memberId: ALICE,
    tokens: 3,
    ...words,
    expiresInSeconds: 86_400,
  });
  const contract = '0x52908400098527886E0F7030069857D2E4169EE7';
  const asset = { id: 'gold', chain: 'eip155:1', standard: 'erc20' as const, contract };
  await scribe.do('asset.create', { asset: { ...asset, tokenId: null, symbol: 'GOLD' } });
  const address = `0x${'3'.repeat(40)}`;
  const wallet = { chain: 'eip155' as const, key: address, address };
  await scribe.do('wallet.link', { memberId: ALICE, wallet, primary: true, proof: null });
  await scribe.do('wallet.challenge', {
    memberId: ALICE,
    wallet,
    network: 'eip155:1',
    nonce: '0123456789abcdef',
    serviceUrl: 'https://acme.example',
  });
  const newWebhook = { id: 'q7Lm20RtYb5c', secret: 'key.sealed' };
  const fields = { url: 'https://bot.example/hook', types: [], description: null };
  await scribe.do('webhook.create', { newWebhook, ...fields, target: 'allowed' });
  await deliver(ledger, newWebhook.id);
  await scribe.do('person.create', { newPersonId: 'pk3Jx81PzQw2m', name: 'Ada', role: 'admin' });
  const [personId, seen] = ['pElsESjT1PxsC', { lastSeenAt: null, removedAt: null }];
  const owner = { id: personId, name: 'Olive', role: 'owner' as const, createdAt: NOW, ...seen };
  await ledger.housekeeping.createOwner(owner);
  const passkey = { id: 'cGFzc2tleQ', personId, publicKey: 'a2V5', counter: 0, userAgent: null };
  await ledger.housekeeping.createPasskey({ ...passkey, createdAt: NOW, lastUsedAt: null });
  await ledger.housekeeping.storeNote({
    name: 'root_key_hash',
    value: SECRET_HASH,
    replaced: null,
  });
  const times = { createdAt: NOW, lastUsedAt: NOW, expiresAt: NOW + 1_000 };
  const session = { id: 'wZ3hT8kQ1xYp', keyId: 'root', isCode: false, secretHash: SECRET_HASH };
  await ledger.housekeeping.createSession({ ...session, ...times, userAgent: null });
}

async function deliver(ledger: Ledger, webhookId: string): Promise<void> {
  const lease = { owner: 'node', sealedBy: 'key', ms: 1 };
  const [leased] = await ledger.housekeeping.leaseWebhooks(lease);
  const { startSeq: progressOf = 0, lastSeq: seq = 0 } = leased ?? {};
  const attempt = { webhookId, id: 1, seq, type: 'webhook.created', attempt: 1, at: NOW };
  const delivery = { ...attempt, latencyMs: 9, status: 500, answer: 'Sorry', error: null };
  const progress = { position: seq - 1, attempts: 1, failingSince: NOW, nextAt: NOW + 5_000 };
  const report = { realmId: 'acme', webhookId, progressOf, ...progress, deliveries: [delivery] };
  await ledger.housekeeping.saveReports({ owner: lease.owner, reports: [report] });
}

/** A new kind of points, a member that is to be erased, and a deleted realm with all its rows. */
async function writeUnfinished(ledger: Ledger): Promise<void> {
  const kind = { ...FIRST_KIND, id: 'stars', name: 'Stars', isDefault: false };
  await new Scribe(ledger).do('kind.create', { kind });
  const erased = { memberId: '46', fields: { username: 'carol' }, wallets: [] };
  await new Scribe(ledger).do('member.create', erased);
  await new Scribe(ledger).do('member.remove', { memberId: '46', forfeit: false, erase: true });
  const scribe = new Scribe(ledger, 'gone');
  await scribe.do('realm.create', { name: 'Gone', settings: {} });
  await scribe.do('realm.delete', {});
}
