import type { Member } from '../../domain/model.ts';
import type { QueryParams } from '../../domain/queries.ts';
import { presentMembers } from '../readers/members.ts';
import type { Operation } from '../statement.ts';

type Params = QueryParams<'member'>;

interface Asked extends Params {
  resolve: (member: Member | null) => void;
  reject: (error: unknown) => void;
}

interface RealmReads {
  waiting: Asked[];
  inFlight: number;
}

/** Of one realm: while the server answers one, this process prepares another. */
const MAX_IN_FLIGHT = 2;
const MAX_MEMBERS = 50;

/**
 * Reads the members of a realm that are asked for at the same time together, since many cost little
 * more than one. A caller sees all that was written before it asked: its read starts after that.
 */
export class MemberReads {
  readonly #run: <T>(operation: () => Operation<T>) => Promise<T>;
  readonly #realms = new Map<string, RealmReads>();

  constructor(run: <T>(operation: () => Operation<T>) => Promise<T>) {
    this.#run = run;
  }

  read(params: Params): Promise<Member | null> {
    const { realmId } = params;
    const realm = this.#realms.getOrInsertComputed(realmId, () => ({ waiting: [], inFlight: 0 }));
    return new Promise((resolve, reject) => {
      realm.waiting.push({ ...params, resolve, reject });
      if (realm.inFlight < MAX_IN_FLIGHT) void this.#readNext(realmId, realm);
    });
  }

  async #readNext(realmId: string, realm: RealmReads): Promise<void> {
    realm.inFlight += 1;
    while (realm.waiting.length > 0) {
      await this.#readTogether(realmId, realm.waiting.splice(0, MAX_MEMBERS));
    }
    realm.inFlight -= 1;
    if (realm.inFlight === 0) this.#realms.delete(realmId);
  }

  async #readTogether(realmId: string, asked: readonly Asked[]): Promise<void> {
    const ids = new Set(asked.map(({ memberId }) => memberId));
    const now = Math.max(...asked.map((one) => one.now));
    try {
      const found = await this.#run(() => presentMembers(realmId, [...ids], now));
      const members = new Map(found.map((member) => [member.id, member]));
      for (const { memberId, resolve } of asked) resolve(members.get(memberId) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
