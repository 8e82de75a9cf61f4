import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Notifications, WrittenListener } from '../../ledger/store.ts';
import { type Connection, within } from './connection.ts';
import type { Database } from './database.ts';
import type { ReaderPool } from './pools.ts';
import { statement } from './statement.ts';

const CHANNEL = 'realmkeep_written';
/** A payload has at most 8,000 bytes, and the id of a realm at most 64. */
const REALMS_PER_PAYLOAD = 100;
/** Under load, the realms of this time are sent together. */
const PAUSE_MS = 50;
const RECONNECT_MS = 1_000;
const CLOSE_MS = 1_000;

const NOTIFY = statement<never, [string, string[]]>(
  `SELECT pg_notify('${CHANNEL}', $1 || ' ' || string_agg(realm_id, ' '))
   FROM unnest($2::text[]) WITH ORDINALITY AS written(realm_id, place)
   GROUP BY place / ${REALMS_PER_PAYLOAD}`,
);

/**
 * Hints by LISTEN and NOTIFY. A transaction that notifies takes a lock of the whole database when
 * it commits, so this is done after the commits, in transactions of its own. Behind a pooler that
 * shares sessions nothing may arrive, which the receivers are prepared for.
 */
export class PostgresNotifications implements Notifications {
  readonly #database: Database;
  readonly #senders: ReaderPool;
  /** Begins each payload, so that a process ignores its own. */
  readonly #origin = randomBytes(9).toString('base64url');
  readonly #unsent = new Set<string>();
  #sending: Promise<void> | null = null;
  #connection: Connection | null = null;
  #isConnecting = false;
  #reconnect: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(database: Database, senders: ReaderPool) {
    this.#database = database;
    this.#senders = senders;
  }

  send(realmIds: readonly string[]): void {
    for (const realmId of realmIds) this.#unsent.add(realmId);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
  }

  listen(listener: WrittenListener): void {
    void this.#connect(listener);
    this.#reconnect = setInterval(() => void this.#connect(listener), RECONNECT_MS).unref();
  }

  /** Sends what is left: a command of the command line ends right after its write. */
  async close(): Promise<void> {
    clearInterval(this.#reconnect);
    this.#closing.abort();
    if (this.#sending) await within(CLOSE_MS, this.#sending, undefined);
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent.size > 0) {
      const realmIds = [...this.#unsent];
      this.#unsent.clear();
      // What is not sent is found by the receivers' own look at the journals.
      await this.#senders
        .use((connection) => connection.change(NOTIFY, this.#origin, realmIds))
        .catch(() => undefined);
      await delay(PAUSE_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  /** Connects unless it is connected. What was sent meanwhile is lost: any realm may be written. */
  async #connect(listener: WrittenListener): Promise<void> {
    if (this.#isConnecting || (this.#connection && !this.#connection.isLost)) return;
    this.#isConnecting = true;
    try {
      const connection = await this.#database.connect('listener');
      connection.onNotification((payload) => {
        const [origin, ...realmIds] = payload.split(' ');
        if (origin !== this.#origin) listener(realmIds);
      });
      await connection.run(`LISTEN ${CHANNEL}`);
      this.#connection = connection;
      listener(null);
    } catch {
      // It is tried again, and the receivers look at the journals by themselves meanwhile.
    } finally {
      this.#isConnecting = false;
    }
  }
}
