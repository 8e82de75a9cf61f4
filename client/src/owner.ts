import type { InvitedPerson, Person } from './generated.ts';
import type { Sent, Transport, WriteOptions } from './transport.ts';

/** Somebody who may do everything in every realm, by id. */
export class OwnerHandle {
  readonly id: string;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
  }

  update(fields: Sent<'updateOwner'>): Promise<Person> {
    return this.#transport.call('updateOwner', { personID: this.id }, fields);
  }

  /** A new link, in place of the one before. */
  invite(options: WriteOptions = {}): Promise<InvitedPerson> {
    return this.#transport.call('inviteOwner', { personID: this.id }, options);
  }

  /** Its sessions end at once. */
  remove(options: Sent<'removeOwner'> = {}): Promise<void> {
    return this.#transport.call('removeOwner', { personID: this.id }, options);
  }
}
