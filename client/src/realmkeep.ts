import type { CurrentSession, OperationId, Realm } from './generated.ts';
import { RealmHandle } from './realm.ts';
import { type ListOf, listOf } from './realm-calls.ts';
import {
  type Answer,
  type CallOptions,
  type ClientOptions,
  type Path,
  type Sent,
  Transport,
} from './transport.ts';

/**
 * The client of a service:
 *
 *     const realm = new Realmkeep({ url, key }).realm('acme');
 *     await realm.member('80351110224678912').add(50, { description: 'Quest reward' });
 */
export class Realmkeep {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  realm(id: string): RealmHandle {
    return new RealmHandle(this.#transport, id);
  }

  realms(options: Sent<'listRealms'> = {}): ListOf<'listRealms'> {
    return listOf(this.#transport, 'listRealms', {}, options);
  }

  createRealm(fields: Sent<'createRealm'>): Promise<Realm> {
    return this.#transport.call('createRealm', {}, fields);
  }

  /** Signs in to the console, by the client's key or by the `code` of a one-time link. */
  createSession(fields: Sent<'createSession'> = {}): Promise<CurrentSession> {
    return this.#transport.call('createSession', {}, fields);
  }

  /** Who the caller is, and what it may do. */
  currentSession(options: CallOptions = {}): Promise<CurrentSession> {
    return this.#transport.call('getCurrentSession', {}, options);
  }

  /** The sessions of the caller's key. */
  sessions(options: CallOptions = {}): ListOf<'listSessions'> {
    return listOf(this.#transport, 'listSessions', {}, options);
  }

  endSession(sessionID: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('endSession', { sessionID }, options);
  }

  /** Calls any operation by its name in openapi.json, as all verbs do. */
  call<Op extends OperationId>(
    operation: Op,
    path: Path<Op>,
    fields: Sent<Op>,
  ): Promise<Answer<Op>> {
    return this.#transport.call(operation, path, fields);
  }
}
