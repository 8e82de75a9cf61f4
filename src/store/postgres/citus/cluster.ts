import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from '../../../domain/commands.ts';
import type { QueryResult, Reader, StorageFault } from '../../../domain/queries.ts';
import { Unavailable } from '../../../ledger/errors.ts';
import { InProcessLedger } from '../../../ledger/in-process-ledger.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { Outage, watched } from '../../../ledger/outage.ts';
import type { Availability, Housekeeping, WrittenListener } from '../../../ledger/store.ts';
import { addToDirectory, realmOfKey } from '../../key-directory.ts';
import { Database } from '../database.ts';
import { PROBE } from '../inspection.ts';
import { type LedgerOptions, type Pools, type PostgresLedger, storeOn } from '../store.ts';
import {
  type Catalogue,
  ON_SHARDS,
  readCatalogue,
  type Server,
  type Shard,
  shardOf,
  urlOf,
} from './catalogue.ts';
import { isMoved } from './placement.ts';
import * as routes from './routes.ts';

/** How often a realm that was moved is looked for again, and the pause before. */
const [MAX_MOVES, MOVE_MS] = [20, 50];
/** How often the catalogue is read while a server is away: it may have got another address. */
const LOOK_MS = 5_000;

/** A server, with connections, commit queues and outages of its own. */
interface ClusterServer extends Server {
  ledger: InProcessLedger;
  availability: Availability;
  pools: Pools;
  /** With shards, a call is made on each of them. */
  calls: Record<routes.Call, (argument: unknown, shards?: readonly Shard[]) => unknown>;
}

/** What puts somebody into the directory of keys. */
type NewCaller = { newKey?: { id: string }; newPersonId?: string };

/** Makes each call on the server that stores its realm. */
export class Cluster implements PostgresLedger {
  /** It is away if all servers with realms are; otherwise each of them has its own outages. */
  readonly availability = new Outage(() => this.#requireAny());
  readonly reader: Reader;
  readonly housekeeping: Housekeeping;
  readonly #url: string;
  readonly #options: LedgerOptions;
  #servers: ClusterServer[] = [];
  readonly #listeners: WrittenListener[] = [];
  readonly #looking: NodeJS.Timeout;
  #catalogue: Catalogue;
  #refreshing: Promise<void> | null = null;

  constructor(url: string, catalogue: Catalogue, options: LedgerOptions) {
    this.#url = url;
    this.#catalogue = catalogue;
    this.#options = options;
    this.#use(catalogue);
    const made = routes.calls.map((name) => [name, (of: unknown) => this.#call(name, of)]);
    const calls: Reader & Housekeeping = Object.fromEntries(made);
    // The same object twice: a thread serves the calls of both by their names.
    this.reader = Object.assign(calls, {
      apiKey: (of: { keyId: string }) => this.#ofDirectory('apiKey', of.keyId, of),
      person: (of: { personId: string }) => this.#ofDirectory('person', of.personId, of),
      ready: () => this.#ready(),
    });
    const checkIntegrity = async () => null;
    this.housekeeping = Object.assign(calls, { probe: () => undefined, checkIntegrity });
    const look = () => this.#away.length > 0 && this.#refresh().catch(() => undefined);
    this.#looking = setInterval(look, LOOK_MS).unref();
  }

  readonly execute: Ledger['execute'] = async (command) => {
    const { realmId, newKey, newPersonId: id = newKey?.id } = command as Command & NewCaller;
    // Before the key itself: one that the realm then refuses to have is in the directory in vain.
    const add = () => addToDirectory({ id: `${id}`, realmId });
    if (id) await this.#onAny(({ pools }) => pools.transactions.run(add));
    return await this.#following(() =>
      this.#having(shardOf(this.#catalogue, realmId)).ledger.execute(command),
    );
  };

  readonly query: Ledger['query'] = async (name, params) => this.reader[name](params);

  onWritten(listener: WrittenListener): void {
    this.#listeners.push(listener);
    for (const server of this.#servers) server.ledger.onWritten(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.availability.close();
    await Promise.all(this.#servers.map((server) => server.ledger.close()));
  }

  get #away(): ClusterServer[] {
    return this.#servers.filter(({ availability }) => availability.cause);
  }

  #requireAny(): void {
    const away = this.#away.map(({ group }) => group);
    if (this.#catalogue.shards.some(({ group }) => !away.includes(group))) return;
    throw new Unavailable('storage-unavailable', 'no server with realms can be reached');
  }

  async #call<T>(call: routes.Call, argument: unknown): Promise<T> {
    if (routes.ofAny.has(call)) return this.#onAny(({ calls }) => calls[call](argument) as T);
    return this.#following(async () => {
      const asked = routes.partsOf(this.#catalogue, call, argument).map(async ([shards, part]) => {
        const { availability, calls } = this.#having(shards[0]);
        return availability.cause && routes.mayLackServers(call) ? [] : calls[call](part, shards);
      });
      return routes.merged(call, await Promise.all(asked), argument) as T;
    });
  }

  /** Repeats what found that a shard was moved, by the catalogue as it is then. */
  async #following<T>(work: () => Promise<T>, times = MAX_MOVES): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMoved(error) || times === 0) throw error;
      await this.#refresh();
      return this.#following(work, times - 1);
    }
  }

  /** Asks the servers one after another until one is not away. */
  async #onAny<T>(work: (server: ClusterServer) => T | Promise<T>): Promise<T> {
    let failure: unknown = new Unavailable('storage-unavailable', 'no server can be reached');
    for (const server of this.#servers) {
      if (server.availability.cause) continue;
      try {
        return await work(server);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** The directory is everywhere, as owners are; a key or another person is with its realm. */
  async #ofDirectory<N extends 'apiKey' | 'person'>(name: N, id: string, argument: object) {
    const realmId = await this.#onAny(({ pools }) => pools.keys.run(() => realmOfKey(id)));
    if (realmId !== null) return this.#call<QueryResult<N>>(name, { ...argument, realmId });
    return this.#onAny(({ calls }) => calls[name](argument) as QueryResult<N>);
  }

  /** A server that is away is an outage of its realms alone. */
  async #ready(): Promise<StorageFault[]> {
    const away = this.#away.map(({ name }) => name).join(', ');
    const faults = (await this.#onAny(({ calls }) => calls.ready(null))) as StorageFault[];
    if (away) faults.push({ check: 'servers', reason: `The realms on ${away} cannot be reached.` });
    return faults;
  }

  #having(shard?: Shard): ClusterServer {
    const server = this.#servers.find(({ group }) => group === shard?.group);
    if (server) return server;
    throw new Unavailable('storage-unavailable', 'the server of the realm is disabled');
  }

  /** Talks to the servers of the catalogue, and to no others. */
  #use(catalogue: Catalogue): void {
    this.#catalogue = catalogue;
    const before = this.#servers;
    this.#servers = catalogue.servers.map(
      ({ group, name }) =>
        before.find((one) => one.group === group && one.name === name) ?? this.#open(group, name),
    );
    for (const one of before) if (!this.#servers.includes(one)) void one.ledger.close();
  }

  #open(group: number, name: string): ClusterServer {
    const { events, clock, onTimed, onServer } = this.#options;
    const own = storeOn(new Database(urlOf(this.#url, name), events, ON_SHARDS), {
      ...this.#options,
      shardOf: (realmId) => shardOf(this.#catalogue, realmId),
      probeText: this.#catalogue.copy.renameIn(PROBE),
    });
    const store = watched(own);
    const availability = store.availability as Availability;
    availability.onChange((cause) => {
      onServer?.(name, cause);
      void this.availability.check();
    });
    const ledger = new InProcessLedger(store, clock, onTimed);
    for (const listener of this.#listeners) ledger.onWritten(listener);
    const calls = { ...store.reader, ...store.housekeeping } as unknown as ClusterServer['calls'];
    return { group, name, pools: own.pools, ledger, availability, calls };
  }

  /** Several who found that a shard was moved read it once. */
  #refresh(): Promise<void> {
    this.#refreshing ??= delay(MOVE_MS)
      .then(() => this.#onAny(({ pools }) => pools.keys.use(readCatalogue)))
      .then((catalogue) => this.#use(catalogue))
      .finally(() => {
        this.#refreshing = null;
      });
    return this.#refreshing;
  }
}
