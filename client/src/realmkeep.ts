import type {
  CurrentSession,
  InvitedPerson,
  OpenWalletLinkAnswer,
  OperationId,
  Passkey,
  PasskeyChallenge,
  Realm,
  Wallet,
} from './generated.ts';
import { OwnerHandle } from './owner.ts';
import { RealmHandle } from './realm.ts';
import { type ListOf, listOf } from './realm-calls.ts';
import {
  type Answer,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type Path,
  type Sent,
  Transport,
  type WriteOptions,
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

  /** Somebody of the whole service. Those of a realm are in `realm(id)`. */
  owner(id: string): OwnerHandle {
    return new OwnerHandle(this.#transport, id);
  }

  owners(options: CallOptions = {}): ListOf<'listOwners'> {
    return listOf(this.#transport, 'listOwners', {}, options);
  }

  createOwner(fields: Sent<'createOwner'>): Promise<InvitedPerson> {
    return this.#transport.call('createOwner', {}, fields);
  }

  /** What a passkey has to sign. */
  createChallenge(options: WriteOptions = {}): Promise<PasskeyChallenge> {
    return this.#transport.call('createChallenge', {}, options);
  }

  createPasskey(fields: Sent<'createPasskey'>): Promise<Passkey> {
    return this.#transport.call('createPasskey', {}, fields);
  }

  /** Those of the person who is signed in. */
  passkeys(options: CallOptions = {}): ListOf<'listPasskeys'> {
    return listOf(this.#transport, 'listPasskeys', {}, options);
  }

  removePasskey(passkeyID: string, options: ChangeOptions = {}): Promise<void> {
    return this.#transport.call('removePasskey', { passkeyID }, options);
  }

  /** What a link of `createWalletLink` is for and, with an address, what its owner signs. */
  openWalletLink(fields: Sent<'openWalletLink'>): Promise<OpenWalletLinkAnswer> {
    return this.#transport.call('openWalletLink', {}, fields);
  }

  redeemWalletLink(fields: Sent<'redeemWalletLink'>): Promise<Wallet> {
    return this.#transport.call('redeemWalletLink', {}, fields);
  }

  /** Signs in to the console, by the client's key, the `code` of a one-time link or a passkey. */
  createSession(fields: Sent<'createSession'> = {}): Promise<CurrentSession> {
    return this.#transport.call('createSession', {}, fields);
  }

  /** Who the caller is, and what it may do. */
  currentSession(options: CallOptions = {}): Promise<CurrentSession> {
    return this.#transport.call('getCurrentSession', {}, options);
  }

  /** The sessions of the caller, or of a person. */
  sessions(options: Sent<'listSessions'> = {}): ListOf<'listSessions'> {
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
