import { readConfig } from '../../src/config/config.ts';
import type { CommandOf } from '../../src/domain/commands.ts';
import { openStorage } from '../../src/storage/storage.ts';

/** A process that credits as fast as it can and says each key once its credit is acknowledged. */
const fail = (error: Error): never => {
  throw error;
};
const ledger = await openStorage(readConfig({ DATABASE_URL: process.argv[2] }).database, {
  onDeath: fail,
  onDamage: (reason) => fail(new Error(reason)),
  onUnavailable: fail,
  onAvailable: () => undefined,
  onRefused: fail,
});

let count = 0;

async function creditOnAndOn(memberId: string): Promise<never> {
  for (;;) {
    count += 1;
    const key = `${process.pid}-${count}`;
    const command: CommandOf<'points.change'> = {
      type: 'points.change',
      realmId: 'acme',
      actor: 'test',
      idempotency: { key, fingerprint: key },
      memberId,
      tokens: 1,
      realmPointId: null,
      description: key,
    };
    const outcome = await ledger.execute(command);
    if ('answer' in outcome) process.stdout.write(`${key}\n`);
  }
}

for (let writer = 1; writer <= 16; writer++) void creditOnAndOn(String(writer));
