import type { Kind } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { FILTERS, filterWords, hasFilters } from '../../text/member-filters.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useQuery } from '../../ui/query.ts';
import { Text } from '../../ui/Text.tsx';
import { FilterDialog } from './FilterDialog.tsx';
import type { Found } from './use-members.ts';

const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, '']));

export function FilterButton({ kind }: { kind: Kind }) {
  const { query, set } = useQuery();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Filter</Button>
      {isOpen && (
        <FilterDialog
          filters={query}
          unit={kind.name}
          onFilter={(filters) => set({ ...filters, status: query.status ?? '' })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** How many there are, and by which filters; each can be taken away again. */
export function FilterBar({ kind, found }: { kind: Kind; found: Found }) {
  const { query, set } = useQuery();
  const words = filterWords(query, kind.name);
  return (
    <div class="filters">
      {words.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          class="chip"
          title="Take this filter away"
          onClick={() => set({ [name]: '' })}
        >
          <Text value={text} />
          <Icon name="close" />
        </button>
      ))}
      {words.length > 1 && (
        <Button small tone="quiet" onClick={() => set(NO_FILTERS)}>
          Clear
        </Button>
      )}
      <Count found={found} />
    </div>
  );
}

/** "27 of 12,480 members"; where a count takes too long, as many as were seen and a plus. */
function Count({ found }: { found: Found }) {
  const { api } = useRealm();
  const { query } = useQuery();
  const { rows, hasMore, isStale } = found.pages;
  const version = rows?.length ?? 0;
  const isSearch = (query.search ?? '') !== '';
  const all = useAnswer(
    `count ${api.id}`,
    async (signal) => (await api.members({ limit: 1, count: true, signal })).count,
    version,
  );
  const some = useAnswer(
    `count ${found.key}`,
    async (signal) => (await found.ask({ limit: 1, count: true, signal })).count,
    version,
  );
  if (!all.value || !rows || isStale) return null;
  const total = plural(all.value.members, 'member');
  const isAll = !isSearch && !hasFilters(query);
  const counted = some.value?.isComplete
    ? formatNumber(some.value.members)
    : `${formatNumber(Math.max(some.value?.members ?? 0, rows.length))}${hasMore ? '+' : ''}`;
  return (
    <span class="caption count" role="status">
      {isAll ? total : `${counted} of ${total}`}
    </span>
  );
}
