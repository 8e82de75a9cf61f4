import { firstMembers, idAt } from './community.ts';

/** The communities that are only read. */
export const million = { realmId: 'million', members: 1_000_000 };
export const tenThousand = { realmId: 'ten-thousand', members: 10_000 };
export const statements = { realmId: 'statements', members: firstMembers(200), movements: 300 };

const ASKED_FOR = 10_000;

/** Members from all over a large realm: those who are asked about, one as often as another. */
export function sampleOf({ members }: { members: number }): string[] {
  const step = members / ASKED_FOR;
  return Array.from({ length: ASKED_FOR }, (_, index) => idAt(Math.floor(index * step)));
}
