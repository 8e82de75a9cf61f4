import type { Claim } from '@realmkeep/client';
import type { Page, PageRequest } from '../../state/paged-list.ts';
import { usePages } from '../../state/pages.ts';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { ClaimTable } from './ClaimTable.tsx';

interface ListProps {
  /** What all of them have in common, and its id. */
  of: 'offer' | 'member';
  id: string;
  ask: (page: PageRequest) => Promise<Page<Claim>>;
  changes: number;
  onChanged: () => void;
}

/** The claims of an offer or a member, in its panel. */
export function ClaimList({ of, id, ask, changes, onChanged }: ListProps) {
  const pages = usePages<Claim>({
    key: `claims of ${of} ${id}`,
    rowKey: ({ claimId }) => claimId,
    limit: 50,
    ask,
    version: changes,
  });
  return (
    <div class="stack tight">
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <div class="flush">
        <ClaimTable
          pages={pages}
          of={of}
          onChanged={onChanged}
          empty={<Empty icon="claim" title="Nothing claimed yet" />}
        />
      </div>
    </div>
  );
}
