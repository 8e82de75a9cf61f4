import { useState } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { FILTERS, filterWords, hasFilters } from '../../text/member-filters.ts';
import { Button } from '../../ui/Button.tsx';
import { useKind } from '../../ui/KindSelect.tsx';
import { useQuery } from '../../ui/query.ts';
import { Text } from '../../ui/Text.tsx';
import { FilterDialog } from '../many/later.tsx';
import type { Found } from './use-members.ts';

const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, '']));

export function FilterButton() {
  const kind = useKind();
  const { query, set } = useQuery();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="filter" onClick={() => setOpen(true)}>
        Filter
      </Button>
      {isOpen && (
        <FilterDialog
          filters={query}
          unit={kind.name}
          onFilter={set}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The filters that are set; each can be taken away again. */
export function FilterChips() {
  const kind = useKind();
  const { query, set } = useQuery();
  const words = filterWords(query, kind.name);
  if (words.length === 0) return null;
  return (
    <div class="chips">
      {words.map(({ name, text }) => (
        <Button key={name} small icon="close" onClick={() => set({ [name]: '' })}>
          <Text value={text} />
        </Button>
      ))}
      {words.length > 1 && (
        <Button small tone="quiet" onClick={() => set(NO_FILTERS)}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** A list of fewer is counted again when its rows change. */
const FEW = 100;

/** "27 of 12,480 members"; where a count takes too long, as many as were seen and a plus. */
export function Count({ found }: { found: Found }) {
  const { api } = useRealm();
  const { query } = useQuery();
  const { rows, hasMore, isStale } = found.pages;
  // Not with each page that is loaded further down.
  const version = Math.min(rows?.length ?? 0, FEW);
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
    <span class="caption count number" role="status">
      {isAll ? total : `${counted} of ${total}`}
    </span>
  );
}
