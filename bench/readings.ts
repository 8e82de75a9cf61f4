import { firstMembers, idAt } from './community.ts';

/** The realms that are only read. */
export const million = { realmId: 'million', members: 1_000_000 };
export const tenThousand = { realmId: 'ten-thousand', members: 10_000 };
export const statements = { realmId: 'statements', members: firstMembers(200), movements: 300 };

const SAMPLE = 10_000;

/** Members from all over a large realm; each is read equally often. */
export function sampleOf({ members }: { members: number }): string[] {
  const step = members / SAMPLE;
  return Array.from({ length: SAMPLE }, (_, index) => idAt(Math.floor(index * step)));
}
