import type { MemberState } from '../facts.ts';
import type { MemberRow, PointKind } from '../model.ts';
import type { Amounts } from '../offer.ts';
import type { Books } from './books.ts';

const stateOf = ({ id, status, username, displayName, erasedAt }: MemberRow): MemberState => ({
  memberId: id,
  status,
  name: displayName ?? username,
  isErased: erasedAt !== null,
});

/** As the batch has left it; undefined for an id that was never a member's. */
export function memberState(books: Books, memberId: string): MemberState | undefined {
  const row = books.members.get(memberId);
  return row ? stateOf(row) : books.states.get(memberId);
}

/** Whom a refusal is about, and which points: by their names in its message to people. */
export function called(books: Books, memberId: string, kind?: PointKind) {
  const name = memberState(books, memberId)?.name;
  return { memberId, ...(name && { name }), ...(kind && { kind: kind.name }) };
}

/** The names of kinds of points by their ids, for the same purpose. */
export const namesOfKinds = (books: Books, amounts: Amounts): Record<string, string> =>
  Object.fromEntries(Object.keys(amounts).map((id) => [id, books.kind(id).name]));
