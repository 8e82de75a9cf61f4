import type { Balance } from '../facts.ts';
import type { Hold } from '../model.ts';
import { decodeRecord } from '../records.ts';
import {
  Column,
  type Comparison,
  compareDigests,
  differentField,
  digestOf,
  type Fault,
  type MemberIndex,
} from './comparison.ts';
import type { JournalRecord } from './journal.ts';
import { balanceKey } from './tables.ts';

/** The instant is that of the clock, of which a record says only the rest. */
type DerivedHold = Omit<Hold, 'createdAt'>;

/** What the open holds on a balance set aside, and how many there are. */
interface Held {
  held: bigint;
  openHolds: number;
}

type HeldOf = (of: { memberId: string; realmPointId: string }) => Held;

/** What these holds, all of which are open, set aside of each balance. */
export function heldOnEach(holds: Iterable<DerivedHold>): HeldOf {
  const sums = new Map<string, Held>();
  const nothing: Held = { held: 0n, openHolds: 0 };
  const of: HeldOf = ({ memberId, realmPointId }) =>
    sums.get(balanceKey(memberId, realmPointId)) ?? nothing;
  for (const hold of holds) {
    const { held, openHolds } = of(hold);
    const sum = held + BigInt(hold.tokens - hold.captured);
    const key = balanceKey(hold.memberId, hold.realmPointId);
    sums.set(key, { held: sum, openHolds: openHolds + 1 });
  }
  return of;
}

/** What a balance says of the holds on it that is wrong; null if nothing is. */
export function heldFault({ held, openHolds }: Balance, right: Held): string | null {
  if (held === String(right.held) && openHolds === right.openHolds) return null;
  const found = `${openHolds} open holds set ${held} aside`;
  return `according to the balance ${found}, but there are ${right.openHolds} with ${right.held}`;
}

/** Open holds are kept; of those that have ended, a member has one number, whatever their order. */
export class HoldAuditor {
  readonly #members: MemberIndex;
  readonly #isPart: boolean;
  readonly #open = new Map<number, DerivedHold>();
  readonly #ended = new Column();

  /** Of holds that began before the first record, a part of a journal says too little. */
  constructor(members: MemberIndex, isPart = false) {
    this.#members = members;
    this.#isPart = isPart;
  }

  /** Checks the next record: no hold gives more than it has, nor anything after its end. */
  checkRecord(record: JournalRecord): Fault | null {
    const { seq } = record;
    const found = decodeRecord(record, ['points.held', 'points.captured', 'points.released']);
    if (!found) return null;
    const { memberId, realmPointId, tokens } = found.data;
    if (found.type === 'points.held') {
      const { description = null, reference = null, expiresAt } = found.data;
      const metadata = found.data.metadata ? JSON.stringify(found.data.metadata) : null;
      const said = { description, reference, metadata };
      const ends = { ...said, expiresAt: Date.parse(expiresAt) };
      const amount = { memberId, realmPointId, tokens, captured: 0 };
      this.#open.set(seq, { id: seq, ...amount, status: 'open', ...ends });
      return null;
    }
    const { holdId } = found.data;
    const hold = this.#open.get(holdId);
    if (!hold && this.#isPart) return null;
    const isOwn = hold?.memberId === memberId && hold.realmPointId === realmPointId;
    if (!hold || !isOwn) {
      return { seq, memberId, detail: `record ${seq} is about hold ${holdId}, which is not open` };
    }
    const left = hold.tokens - hold.captured;
    if (found.type === 'points.released' ? tokens !== left : tokens > left) {
      const detail = `record ${seq} takes ${tokens} of hold ${holdId}, which has ${left} left`;
      return { seq, memberId, detail };
    }
    if (found.type === 'points.released') {
      this.#end({ ...hold, status: found.data.expiredAt === undefined ? 'released' : 'expired' });
    } else if (tokens < left) this.#open.set(holdId, { ...hold, captured: hold.captured + tokens });
    else this.#end({ ...hold, captured: hold.tokens, status: 'captured' });
    return null;
  }

  held(): HeldOf {
    return heldOnEach(this.#open.values());
  }

  holds(): Comparison<DerivedHold> {
    const missing = new Map(this.#open);
    const faultOf = ({ id, memberId }: DerivedHold, says: string): Fault => {
      return { seq: null, memberId, detail: `hold ${id} ${says}` };
    };
    const compared = compareDigests(
      this.#members,
      this.#ended,
      (ended, row: DerivedHold) => {
        const open = missing.get(row.id);
        missing.delete(row.id);
        if (open) {
          const says = differentField(row, open);
          return says === null ? null : faultOf(row, says);
        }
        if (row.status === 'open') return faultOf(row, 'is open, but not in the journal');
        this.#add(ended, row);
        return null;
      },
      'the holds of the member that have ended differ from the journal',
    );
    const end = (): Fault | null => {
      const [lost] = missing.values();
      if (!lost) return compared.end();
      return faultOf(lost, 'is open in the journal, but its row is missing');
    };
    return { ...compared, end };
  }

  #end(hold: DerivedHold): void {
    this.#open.delete(hold.id);
    this.#add(this.#ended, hold);
  }

  #add(column: Column, hold: DerivedHold): void {
    const { id, realmPointId, tokens, captured, status, expiresAt } = hold;
    const { description, reference, metadata } = hold;
    const said = [description, reference, metadata];
    const digest = digestOf(id, realmPointId, tokens, captured, status, expiresAt, ...said);
    column.mix(this.#members.of(hold.memberId), digest);
  }
}
