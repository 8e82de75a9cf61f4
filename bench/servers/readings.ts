import type { Ledger } from '../../src/ledger/ledger.ts';
import { assertAccepted, enrol, randomPair } from '../community.ts';
import { seedLargeRealm } from '../large-realm.ts';
import * as realms from '../readings.ts';
import { database, progress, serve } from './service.ts';

/** Transfers that are executed together while the realm is seeded. */
const AT_ONCE = 1_000;

/** The service with realms that are only read: two for ranks, one for statements. */
const large: Record<string, string> = {};
for (const { realmId, members } of [realms.million, realms.tenThousand]) {
  large[realmId] = await seedLargeRealm(database, realmId, members, progress);
}
await serve(async (ledger) => ({ ...large, [realms.statements.realmId]: await makeBusy(ledger) }));

/** Members that transferred points to each other a few hundred times. */
async function makeBusy(ledger: Ledger): Promise<string> {
  const { realmId, members, movements } = realms.statements;
  const key = await enrol(ledger, members, realmId);
  const transfers = (members.length * movements) / 2;
  for (let made = 0; made < transfers; made += AT_ONCE) {
    const commands = Array.from({ length: AT_ONCE }, () => transferIn(realmId, members));
    const outcomes = await Promise.all(commands.map((command) => ledger.execute(command)));
    for (const outcome of outcomes) assertAccepted(outcome);
  }
  return key;
}

function transferIn(realmId: string, members: readonly string[]) {
  const { member: memberId, other: recipientId } = randomPair(members);
  return {
    type: 'points.transfer' as const,
    realmId,
    actor: 'cli',
    idempotency: null,
    memberId,
    recipientId,
    tokens: 1,
    realmPointId: null,
    description: 'Thanks!',
  };
}
