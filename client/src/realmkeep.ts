import type { OperationId, Realm } from './generated.ts';
import { RealmHandle } from './realm.ts';
import { type ListOf, listOf, type Sent } from './realm-calls.ts';
import { type Answer, type ClientOptions, type Path, Transport } from './transport.ts';

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

  /** Calls any operation by its name in openapi.json, as all verbs do. */
  call<Op extends OperationId>(
    operation: Op,
    path: Path<Op>,
    fields: Sent<Op>,
  ): Promise<Answer<Op>> {
    return this.#transport.call(operation, path, fields);
  }
}
