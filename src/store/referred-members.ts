import type { Needs, RealmFacts } from '../domain/facts.ts';
import { membersOf } from '../domain/rules/postings.ts';

/** The members of the records and holds that commands refer to: their standings are needed too. */
export function referredMembers({ records, holds }: RealmFacts, needs: Needs): string[] {
  return [
    ...records.filter(({ seq }) => needs.records.has(seq)).flatMap((record) => membersOf(record)),
    ...holds.filter(({ id }) => needs.holds.has(id)).map(({ memberId }) => memberId),
  ];
}
