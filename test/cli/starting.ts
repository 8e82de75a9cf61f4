import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { type Service, startService } from '../../src/service.ts';
import { STORAGE } from '../support/database.ts';
import type { Program } from '../support/program.ts';
import { type Cli, get } from './cli.ts';

export const OWN_KEY = 'a-root-key-of-my-own-0123456789-abcdef';
export const OTHER_KEY = 'another-root-key-0123456789-0123456789';

/** Beside the SQLite file; on PostgreSQL in the folder "data" of the current one. */
export const pathIn = ({ folder }: Cli): string =>
  STORAGE === 'sqlite' ? join(folder, 'root.key') : join(folder, 'data', 'root.key');

export function put(cli: Cli, key: string): void {
  mkdirSync(dirname(pathIn(cli)), { recursive: true });
  writeFileSync(pathIn(cli), key);
}

export async function statusWith(key: string, url: unknown): Promise<number> {
  return (await get(`${url}/api/v4/realms`, key)).status;
}

export async function stop(program: Program): Promise<void> {
  program.child.kill('SIGTERM');
  assert.equal((await program.ended).code, 0);
}

/** Starts in this process, which is far quicker, and stops; also returns the log. */
function started<T>(cli: Cli, env: Record<string, string>, use: (service: Service) => Promise<T>) {
  return cli.within(env, async () => {
    const log: string[] = [];
    const service = await startService(readConfig(), {
      logTo: { write: (line) => log.push(line) },
      onDeath: (error) => assert.fail(error),
    });
    const used = await use(service);
    await service.stop();
    return { used, log };
  });
}

/** Says which of the keys is valid. */
export async function startOf(cli: Cli, keys: string[], env: Record<string, string> = {}) {
  const { used, log } = await started(cli, env, async ({ url, rootKey }) => {
    const statuses = await Promise.all(keys.map((key) => statusWith(key, url)));
    const valid = keys.filter((_, index) => statuses[index] === 200);
    return { rootKey: rootKey.created, rootKeyFrom: rootKey.from, valid };
  });
  for (const key of keys) assert.ok(!log.join('').includes(key));
  return used;
}

/** What a start warns of. */
export async function warningsOf(cli: Cli, env: Record<string, string> = {}) {
  const { log } = await started(cli, env, async () => {});
  return log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
}

/** Where a start says that it listens, which it does. */
export async function addressOf(cli: Cli, env: Record<string, string>): Promise<string> {
  const { used } = await started(cli, env, async ({ url }) => {
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    return url;
  });
  return used;
}
