import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import type { Reply, TestRealm, TestService } from '../support/service.ts';

export const CALLERS = 50;
/**
 * A write is to be refused within a second, and the service ready two seconds after there is space.
 * On a busy machine both take longer, but nobody waits as long as for a thread that is stuck.
 */
const REFUSED_MS = 20_000;
const READY_MS = 20_000;

/** As many bytes as a description can have, while PostgreSQL still stores it uncompressed. */
const DESCRIPTION = '🐸'.repeat(300);

interface Credit {
  memberId: string;
  key: string;
}

/** Members that are credited one point a call, each call with a key of its own. */
export class Callers {
  readonly realm: TestRealm;
  /** The credits that were answered with 200. */
  readonly acknowledged: Credit[] = [];
  /** The credits that were answered with 503, and those answers. */
  readonly refused: (Credit & { reply: Reply; ms: number })[] = [];
  #count = 0;

  constructor(realm: TestRealm) {
    this.realm = realm;
  }

  /** Members are credited until the service is not ready: one batch may be refused earlier. */
  async creditUntilOutage(): Promise<void> {
    const { service } = this.realm;
    do await this.creditUntilRefused();
    while ((await service.send('GET', '/readyz')).status === 200);
  }

  /** Every member is credited again and again until it is refused. */
  async creditUntilRefused(): Promise<void> {
    const loops = Array.from({ length: CALLERS }, async (_, index) => {
      while (await this.#credit({ memberId: `${index + 1}`, key: `credit-${++this.#count}` }));
    });
    await Promise.all(loops);
  }

  /** Sends the refused credits once more; all of them have to be acknowledged now. */
  async retryRefused(): Promise<void> {
    for (const credit of this.refused.splice(0)) {
      assert.ok(await this.#credit(credit), `${credit.key} was refused again`);
    }
  }

  /** Balances, statements and the journal contain each acknowledged credit once, and no other. */
  async audit(): Promise<void> {
    const highest = Math.max(...(await this.auditBalances()));
    const { json } = await this.realm.expect(200, 'GET', '/leaderboard?limit=1');
    assert.equal(json.members[0].balance, highest);
    const verified = await this.realm.expect(200, 'GET', '/verify');
    assert.equal(verified.json.ok, true, verified.text);
  }

  /** Balances contain each acknowledged credit once, and no other. */
  async auditBalances(): Promise<number[]> {
    const credits = Map.groupBy(this.acknowledged, ({ memberId }) => memberId);
    const counts = [...credits.values()].map(({ length }) => length);
    const balances = await Promise.all([...credits.keys()].map((id) => this.realm.balance(id)));
    assert.deepEqual(balances, counts);
    return balances;
  }

  async #credit({ memberId, key }: Credit): Promise<boolean> {
    const sentAt = performance.now();
    const reply = await this.realm.send('PATCH', `/members/${memberId}/tokenBalance`, {
      body: { tokens: 1, description: DESCRIPTION },
      headers: { 'idempotency-key': key },
    });
    const ms = performance.now() - sentAt;
    if (reply.status === 200) this.acknowledged.push({ memberId, key });
    else this.refused.push({ memberId, key, reply, ms });
    return reply.status === 200;
  }
}

/** Whether a refusal came soon, also that of a write whose outcome is unknown. */
export function assertSoon({ reply, ms }: { reply: Reply; ms: number }): void {
  assert.ok(ms < REFUSED_MS, `${reply.json.code} after ${ms} ms`);
}

export function assertStorageFull({ status, headers, json, text }: Reply): void {
  assert.deepEqual([status, json.code], [503, 'storage-full'], text);
  assert.match(json.detail, /^The disk of the database is full: .* Nothing was changed\./);
  assert.equal(headers['retry-after'], '1');
}

/** Probes readiness until it has the status, which is to be soon; returns the last answer. */
export function untilReadiness(service: TestService, status: number): Promise<Reply> {
  const start = performance.now();
  const isExpected = (reply: Reply): boolean => {
    const ms = performance.now() - start;
    if (reply.status === status) return true;
    assert.ok(ms < READY_MS, `still ${reply.status} after ${ms} ms: ${reply.text}`);
    return false;
  };
  return eventually(() => service.send('GET', '/readyz'), isExpected);
}

/** The lines of the log that are about outages, and whatever else is a warning. */
export const outageLines = ({ logs }: TestService): string[] =>
  logs
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level !== 'info' || /available|ready/.test(msg))
    .map(({ msg }) => msg);

/** Whether the metrics say that the database is up, and that it is full. */
export async function upAndFull(service: TestService): Promise<[string, string]> {
  const { text } = await service.expect(200, 'GET', '/metrics');
  const gauge = (name: string) =>
    new RegExp(`^realmkeep_database_${name} (.*)$`, 'm').exec(text)?.[1] ?? 'missing';
  return [gauge('up'), gauge('full')];
}
