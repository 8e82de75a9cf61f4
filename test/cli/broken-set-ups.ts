import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Verdict } from '../../src/cli/doctor/finding.ts';
import { SecretBox } from '../../src/webhooks/messages.ts';
import { STORAGE } from '../support/database.ts';
import type { Cli } from './cli.ts';
import { Scribe } from './journal-history.ts';

type Environment = Record<string, string>;

export interface BrokenSetUp {
  name: string;
  /** If it cannot happen with the other database, or that makes no difference. */
  storage?: 'sqlite' | 'postgres';
  /** Breaks a sound set-up; returns settings. */
  setUp(cli: Cli): Promise<Environment | undefined> | Environment | undefined;
  check: string;
  verdict: Verdict;
  detail: RegExp;
}

/** The last record of the only realm. */
const IS_LAST = 'seq = (SELECT max(seq) FROM realms)';

const SECRET_KEY = 'a-secret-key-of-more-than-32-characters';

/** A file beside the database, or where it would be. */
function writeBeside(cli: Cli, name: string, text: string, mode = 0o600): undefined {
  const path = join(cli.folder, STORAGE === 'sqlite' ? '' : 'data', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

export const run =
  (...statements: string[]) =>
  async (cli: Cli): Promise<undefined> => {
    for (const sql of statements) await cli.database.exec(sql);
  };

/** A webhook whose secret is sealed with the key, in some state. */
async function addWebhook(cli: Cli, keyId: string, state = 'attempts = NULL'): Promise<void> {
  const ledger = await cli.database.ledger();
  const newWebhook = { id: 'q7Lm20RtYb5c', secret: `${keyId}.sealed` };
  const fields = { url: 'https://bot.example/hook', types: [], description: null };
  await new Scribe(ledger).do('webhook.create', { newWebhook, ...fields, target: 'allowed' });
  await ledger.close();
  await cli.database.exec(`UPDATE webhooks SET ${state}`);
}

const webhookIn = (state: string) => async (cli: Cli) => {
  await addWebhook(cli, new SecretBox(SECRET_KEY).keyId, state);
  return { SECRET_KEY };
};

/** A BACKUP_DIR with a backup of that instant. */
const backedUpAt = (at: string) => (cli: Cli) => {
  writeBeside(cli, `backups/realmkeep-${at.replaceAll(':', '-')}.db`, '');
  return { BACKUP_DIR: 'backups' };
};

const settings: BrokenSetUp[] = [
  {
    name: 'settings that are invalid',
    storage: 'sqlite',
    setUp: () => ({ PORT: 'abc', RATE_LIMIT: 'much' }),
    check: 'configuration',
    verdict: 'fault',
    detail: /PORT must be an integer from 0 to 65535; RATE_LIMIT must be .* Correct that/,
  },
  {
    name: 'a setting that is misspelt in .env',
    storage: 'sqlite',
    setUp: (cli) => void writeFileSync(join(cli.folder, '.env'), 'BAKUP_DIR=backups\n'),
    check: 'configuration',
    verdict: 'warning',
    detail: /\.env sets BAKUP_DIR, which is not a setting \(is it BACKUP_DIR\?\)\. Correct/,
  },
  {
    name: 'a root key that everybody may read',
    storage: 'sqlite',
    setUp: (cli) => writeBeside(cli, 'root.key', `${'r'.repeat(40)}\n`, 0o644),
    check: 'keys',
    verdict: 'warning',
    detail: /Every user of this machine may read .*root\.key\. Run chmod 600/,
  },
  {
    name: 'a secret key that is cut off',
    storage: 'sqlite',
    setUp: (cli) => writeBeside(cli, 'secret.key', 'short\n'),
    check: 'keys',
    verdict: 'fault',
    detail:
      /secret\.key must be 32 to 256 visible ASCII characters\. Correct it, or set SECRET_KEY/,
  },
  {
    name: 'the root key of another database',
    storage: 'postgres',
    setUp: async (cli) => {
      writeBeside(cli, 'root.key', `${'r'.repeat(40)}\n`);
      await cli.database.exec("INSERT INTO service VALUES ('root_key_hash', 'another')");
    },
    check: 'keys',
    verdict: 'fault',
    detail: /root\.key is not the root key of postgres:\/\/.* or set ROOT_KEY/,
  },
  {
    name: 'a HOST that cannot be reached',
    storage: 'sqlite',
    setUp: () => ({ HOST: '255.255.255.255', PORT: '8080' }),
    check: 'service',
    verdict: 'fault',
    detail: /^http:\/\/255\.255\.255\.255:8080 cannot be reached \(E\w+\)\. Check HOST and PORT\.$/,
  },
];

const databases: BrokenSetUp[] = [
  {
    name: 'a path without a database',
    storage: 'sqlite',
    setUp: () => ({ DATABASE_URL: 'sqlite:elsewhere/realmkeep.db' }),
    check: 'database',
    verdict: 'warning',
    detail: /There is no database elsewhere\/realmkeep\.db\..* check DATABASE_URL/,
  },
  {
    name: 'a path that leads nowhere',
    storage: 'sqlite',
    setUp: (cli) => {
      symlinkSync('loop.db', join(cli.folder, 'loop.db'));
      return { DATABASE_URL: 'sqlite:loop.db' };
    },
    check: 'database',
    verdict: 'fault',
    detail: /loop\.db cannot be used: ELOOP: .* Check DATABASE_URL/,
  },
  {
    name: 'a database of another program',
    storage: 'sqlite',
    setUp: (cli) => {
      using db = new DatabaseSync(join(cli.folder, 'other.db'));
      db.exec('CREATE TABLE t (a)');
      return { DATABASE_URL: 'sqlite:other.db' };
    },
    check: 'database',
    verdict: 'fault',
    detail: /other\.db cannot be used: it is a database of another program\. Check DATABASE_URL/,
  },
  {
    name: 'a damaged file',
    storage: 'sqlite',
    setUp: (cli) => {
      const path = join(cli.folder, 'realmkeep.db');
      writeFileSync(path, readFileSync(path).fill(0xa5, 8_192, 40_960));
    },
    check: 'database',
    verdict: 'fault',
    detail: /is damaged: .* Stop the service and restore a backup: npx realmkeep restore/,
  },
  {
    name: 'a server that does not answer',
    storage: 'postgres',
    setUp: () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/realmkeep' }),
    check: 'database',
    verdict: 'fault',
    detail: /127\.0\.0\.1:1\/realmkeep cannot be used: .*ECONNREFUSED.*Check DATABASE_URL/,
  },
  {
    name: 'a database that was copied elsewhere',
    setUp: run("INSERT INTO service VALUES ('copied_to', 'postgres://db.example/books')"),
    check: 'database',
    verdict: 'warning',
    detail: /was copied to postgres:\/\/db\.example\/books, and is no longer the original/,
  },
  {
    name: 'a database of a newer program',
    setUp: run(
      STORAGE === 'sqlite'
        ? 'PRAGMA user_version = 1000'
        : 'INSERT INTO schema_migrations SELECT generate_series(2, 1000)',
    ),
    check: 'migrations',
    verdict: 'fault',
    detail: /version is 1000; that of this program is \d+\. A newer program .* restore a backup/,
  },
  {
    name: 'a database that is yet to be migrated',
    setUp: async (cli) => {
      if (STORAGE === 'sqlite') writeFileSync(join(cli.folder, 'realmkeep.db'), '');
      else await cli.database.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    },
    check: 'migrations',
    verdict: 'warning',
    detail: /version is 0; .* "npx realmkeep migrate --plan" says what that takes/,
  },
];

const contents: BrokenSetUp[] = [
  {
    name: 'a clock that is behind',
    setUp: run('UPDATE realms SET clock_at = 32503680000000'),
    check: 'clock',
    verdict: 'warning',
    detail: /clock showed 3000-01-01T00:00:00\.000Z, which is in the future.*Synchronise it/,
  },
  {
    name: 'an erasure that nobody finishes',
    setUp: run(
      `INSERT INTO erasures (realm_id, seq, erased_id, phase, position)
       VALUES ('acme', 1, '7', 'answers', '')`,
      'UPDATE journal SET at = 0 WHERE seq = 1',
    ),
    check: 'erasures',
    verdict: 'warning',
    detail: /^Members that are being erased: 1, first in acme, at 1970-.* its log says why/,
  },
  {
    name: 'a record that was changed',
    setUp: run(`UPDATE journal SET actor = 'nobody' WHERE ${IS_LAST}`),
    check: 'journal',
    verdict: 'fault',
    detail: /^acme: record \d+ is not what was written: .* Run "npx realmkeep verify"/,
  },
  {
    name: 'a record that is gone',
    setUp: run(`DELETE FROM journal WHERE ${IS_LAST}`),
    check: 'journal',
    verdict: 'fault',
    detail: /^acme: records (\d+) to \1 are missing/,
  },
  {
    name: 'a backup that is too old',
    storage: 'sqlite',
    setUp: backedUpAt('2026-01-01T00:00:00.000Z'),
    check: 'backup',
    verdict: 'fault',
    detail: /from 2026-01-01T00:00:00\.000Z\. That is more than twice BACKUP_EVERY ago/,
  },
  {
    name: 'a backup from the future',
    storage: 'sqlite',
    setUp: backedUpAt('3000-01-01T00:00:00.000Z'),
    check: 'backup',
    verdict: 'warning',
    detail: /from 3000-01-01T00:00:00\.000Z\. That is in the future, .* Check the clock/,
  },
  {
    name: 'a backup on the disk of the database',
    storage: 'sqlite',
    setUp: backedUpAt(new Date().toISOString()),
    check: 'backup',
    verdict: 'warning',
    detail: /It is on the disk of the database, .* Use a folder on another disk/,
  },
  {
    name: 'a BACKUP_DIR that is a file',
    storage: 'sqlite',
    setUp: (cli) => {
      writeFileSync(join(cli.folder, 'backups'), '');
      return { BACKUP_DIR: 'backups' };
    },
    check: 'backup',
    verdict: 'fault',
    detail: /BACKUP_DIR backups cannot be read \(ENOTDIR\)/,
  },
];

const webhooks: BrokenSetUp[] = [
  {
    name: 'a webhook that fails',
    setUp: webhookIn(
      'failing_since = 1794700000000, attempts = 3, progress_of = start_seq, next_at = 0',
    ),
    check: 'webhooks',
    verdict: 'warning',
    detail: /^acme\/q7Lm20RtYb5c has failed since 2026-11-14T\S+, in 3 attempts/,
  },
  {
    name: 'a webhook that was given up',
    setUp: webhookIn("paused_at = 1794700000000, pause_reason = 'failing'"),
    check: 'webhooks',
    verdict: 'fault',
    detail: /is paused because it failed for days\. Correct its URL and resume it/,
  },
  {
    name: 'a webhook whose secret nobody can open',
    setUp: async (cli) => {
      await addWebhook(cli, 'another');
      return { SECRET_KEY };
    },
    check: 'webhooks',
    verdict: 'fault',
    detail: /its secret was sealed with another key\. Set the SECRET_KEY/,
  },
];

/** What can be wrong with a set-up, and what the doctor has to say about it. */
export const brokenSetUps: BrokenSetUp[] = [...settings, ...databases, ...contents, ...webhooks];
