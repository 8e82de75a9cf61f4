/** A record of the journal, as far as it tells what has become of an import. */
export interface TracedRecord {
  seq: number;
  type: string;
  data: { memberId?: string; recipientId?: string; tokens?: number; reversalOf?: number };
}

/** What an import has made of a member. */
interface Made {
  /** Whether the import enrolled the member, or only gave it opening balances. */
  isNew: boolean;
  isFrozen: boolean;
  /** What is left of each opening balance, by its transaction. */
  openings: Map<number, number>;
  /** Whether its points have moved, or were set aside, since. */
  hasMoved: boolean;
}

/** What undoes an import for one member, in this order. */
export interface Undoing {
  memberId: string;
  /** Nothing moves while a member is frozen. */
  unfreeze: boolean;
  reverse: number[];
  remove: boolean;
}

/** Follows an import through the journal, to see what of it can be undone. */
export class ImportTrace {
  readonly #members = new Map<string, Made>();

  /** Takes the records in order, from the first one of the import on. */
  add({ seq, type, data }: TracedRecord, isOwn: boolean): void {
    const { memberId = '', recipientId = '', tokens = 0, reversalOf = 0 } = data;
    const made = this.#members.get(memberId);
    const left = made?.openings.get(reversalOf);
    if (type === 'member.removed') this.#members.delete(memberId);
    else if (isOwn && type === 'member.created') this.#make(memberId, true);
    else if (isOwn && type === 'points.opened') {
      (made ?? this.#make(memberId, false)).openings.set(seq, Math.abs(tokens));
    } else if (made && left !== undefined) made.openings.set(reversalOf, left - Math.abs(tokens));
    else if (made && /^member\.(un)?frozen$/.test(type)) made.isFrozen = type === 'member.frozen';
    else if (type.startsWith('points.')) {
      for (const id of [memberId, recipientId]) this.#noteMovement(id);
    }
  }

  /** The members for whom something is left of the import. */
  undoings(): Undoing[] {
    return [...this.#members].flatMap(([memberId, { isNew, isFrozen, openings }]) => {
      const reverse = [...openings].flatMap(([seq, tokens]) => (tokens > 0 ? [seq] : []));
      const unfreeze = isNew && isFrozen && reverse.length > 0;
      return isNew || reverse.length > 0 ? [{ memberId, unfreeze, reverse, remove: isNew }] : [];
    });
  }

  /** Those for whom it cannot be undone: to take points back, one would have to take others. */
  isSpent({ memberId, remove }: Undoing): boolean {
    const { hasMoved, isFrozen } = this.#members.get(memberId) ?? {};
    return hasMoved === true || (isFrozen === true && !remove);
  }

  #make(memberId: string, isNew: boolean): Made {
    const made = { isNew, isFrozen: false, openings: new Map(), hasMoved: false };
    this.#members.set(memberId, made);
    return made;
  }

  #noteMovement(memberId: string): void {
    const made = this.#members.get(memberId);
    if (made) made.hasMoved = true;
  }
}
