import type { LeaderboardRow } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { useRealm } from '../../state/realm.ts';
import { Avatar, Name } from '../../ui/MemberName.tsx';

/** The first three, as they stand on a stage: the second on the left of the first. */
export function Podium({
  rows,
  say,
}: {
  rows: LeaderboardRow[];
  say: (row: LeaderboardRow) => string;
}) {
  const { realm } = useRealm();
  if (rows.length < 3) return null;
  return (
    <ol class="podium" aria-label="The first three">
      {rows.slice(0, 3).map((row, index) => (
        <li key={row.id} class={`place-${index + 1}`}>
          <Avatar member={row} size="huge" />
          <a class="quiet-link ellipsis" href={addresses.member(realm.id, row.id)}>
            <Name member={row} />
          </a>
          <span class="caption number">{say(row)}</span>
          <b class="step" aria-hidden="true">
            {row.rank}
          </b>
        </li>
      ))}
    </ol>
  );
}
