import type { Member, Realm } from '@realmkeep/client';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { View } from '../../frame/View.tsx';
import { suggest } from '../../state/answers.ts';
import { useAsked } from '../../state/asked.ts';
import { hiddenColumns, toggleColumn } from '../../state/columns.ts';
import { imports, isUnderWay } from '../../state/imports.ts';
import { mayChange, type OpenRealm, useRealm } from '../../state/realm.ts';
import { useSelection } from '../../state/selection.ts';
import { hasFilters } from '../../text/member-filters.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { neighboursOf } from '../../ui/PanelNav.tsx';
import { useQuery } from '../../ui/query.ts';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Empty } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { AwardDialog } from '../many/later.tsx';
import { MemberPanel } from '../member/MemberPanel.tsx';
import { memberKey } from '../member/member-key.ts';
import { largestOf, memberColumns, selectColumn } from './columns.tsx';
import { EnrolDialog } from './EnrolDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { Count, FilterButton, FilterChips } from './FilterBar.tsx';
import { type Fresh, useFreshRows } from './fresh-rows.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { type Found, useMembers } from './use-members.ts';
import { Views } from './Views.tsx';

const NEWEST = '-createdAt';

export function Members({ member }: { member?: string }) {
  const open = useRealm();
  const { route } = useLocation();
  const { search, listSearch } = useQuery();
  const [listed, setListed] = useState<readonly Member[]>();
  const href = (id: string): string => addresses.member(open.realm.id, id, search);
  return (
    <View title="Members">
      <div class="content full">
        <MemberList open={open} selected={member} onListed={setListed} />
      </div>
      {member && (
        <MemberPanel
          key={member}
          id={member}
          neighbours={neighboursOf(listed, member, href)}
          onClose={() => route(addresses.members(open.realm.id) + listSearch)}
        />
      )}
    </View>
  );
}

interface ListProps {
  open: OpenRealm;
  selected: string | undefined;
  onListed: (rows: readonly Member[] | undefined) => void;
}

function MemberList({ open, selected, onListed }: ListProps) {
  const { query, search, set } = useQuery();
  const { search: typed = '', status = '' } = query;
  const kind = useKind();
  const found = useMembers(open, { ...query, kind: kind.id });
  const { pages, sort, sorts } = found;
  const isFiltered = typed !== '' || hasFilters(query);
  const fresh = useFreshRows(open, pages, isFiltered);
  const selection = useSelection(found.key, pages.rows ?? []);
  const href = ({ id }: Member) => addresses.member(open.realm.id, id, search);
  const columns = memberColumns(kind, href, largestOf(pages.rows, kind));
  useEffect(() => onListed(pages.rows), [onListed, pages.rows]);
  // The panel begins with the row, and has it while the service is away.
  useMemo(() => {
    const row = pages.rows?.find(({ id }) => id === selected);
    if (row) suggest(memberKey(open.realm.id, row.id), row);
  }, [selected]);
  const look = (member: Member): string =>
    ['linked', member.id === selected && 'current', selection.has(member) && 'selected']
      .filter(Boolean)
      .join(' ');
  return (
    <>
      <Toolbar found={found} fresh={fresh} columns={columns} />
      <PagedTable
        class="card sticky-head"
        label="Members"
        columns={[
          selectColumn(selection, pages.rows ?? []),
          ...columns.filter(({ id }) => !hiddenColumns.value.includes(id)),
        ]}
        pages={pages}
        order={sort}
        sorts={sorts}
        onOrder={(by) => set({ sort: by === sort ? '' : by })}
        rowClass={look}
        empty={<Nobody search={typed} isFiltered={isFiltered} status={status} />}
      />
      <SelectionBar
        selection={selection}
        listed={pages.rows?.length ?? 0}
        hasMore={pages.hasMore}
        ask={found.ask}
        onChanged={fresh.show}
      />
    </>
  );
}

interface ToolbarProps {
  found: Found;
  fresh: Fresh;
  columns: Column<Member>[];
}

function Toolbar({ found, fresh, columns }: ToolbarProps) {
  const { pages, sort } = found;
  const { realm } = useRealm();
  const { query, set } = useQuery();
  // In a list that is not loaded as a whole they may be anywhere, unless the newest come first.
  const showJoined = (): void => {
    if (pages.hasMore) scrollTo({ top: 0 });
    if (pages.hasMore && sort !== NEWEST) set({ sort: NEWEST });
    else fresh.show();
  };
  return (
    <div class="toolbar">
      <div class="row wrap finding">
        <SearchBox
          label="Find members"
          placeholder="Name, id, account or wallet"
          value={query.search ?? ''}
          onChange={(value) => set({ search: value })}
        />
        <FilterButton />
        <Views />
        <KindSelect />
        {fresh.joined && (
          <Button small onClick={showJoined}>
            {fresh.joined} new
          </Button>
        )}
        <FilterChips />
        <Count found={found} />
      </div>
      <ColumnMenu columns={columns} />
      <Actions realm={realm} ask={found.ask} onChanged={fresh.show} />
    </div>
  );
}

interface ActionsProps {
  realm: Realm;
  ask: Found['ask'];
  onChanged: () => void;
}

function Actions({ realm, ask, onChanged }: ActionsProps) {
  const [open, setOpen] = useState<'enrol' | 'export' | 'award' | null>(null);
  const close = useCallback(() => setOpen(null), []);
  useAsked('enrol', () => setOpen('enrol'));
  useAsked('export', () => setOpen('export'));
  return (
    <div class="row">
      <Button icon="export" label="Export" onClick={() => setOpen('export')} />
      {mayChange(realm) && (
        <>
          <span class="not-on-phones">
            <LinkButton href={addresses.import(realm.id)} icon="import" label="Import">
              {isUnderWay(imports.value[realm.id]) && 'Importing…'}
            </LinkButton>
          </span>
          <Button icon="points" label="Award a list" onClick={() => setOpen('award')}>
            <span class="not-on-phones">Award a list</span>
          </Button>
          <Button tone="primary" icon="plus" label="Add member" onClick={() => setOpen('enrol')}>
            <span class="not-on-phones">Add member</span>
          </Button>
        </>
      )}
      {open === 'enrol' && <EnrolDialog onChanged={onChanged} onClose={close} />}
      {open === 'export' && <ExportDialog ask={ask} onClose={close} />}
      {open === 'award' && <AwardDialog onChanged={onChanged} onClose={close} />}
    </div>
  );
}

/** Which columns are shown; the name always is. */
function ColumnMenu({ columns }: { columns: Column<Member>[] }) {
  const items = columns.slice(1, -1).map(
    ({ id, header }): MenuItem => ({
      label: header,
      isChecked: !hiddenColumns.value.includes(id),
      onSelect: () => toggleColumn(id),
    }),
  );
  return (
    <div class="not-on-phones">
      <Menu label="Columns" class="button quiet icon-only" items={items}>
        <Icon name="columns" />
      </Menu>
    </div>
  );
}

interface NobodyProps {
  search: string;
  isFiltered: boolean;
  status: string;
}

function Nobody({ search, isFiltered, status }: NobodyProps) {
  if (search.trim() !== '') {
    return (
      <Empty icon="search" title={status === '' ? 'Nobody found' : `Nobody found who is ${status}`}>
        <p>
          Search by the beginning of a name, of an id or, from four characters on, of a wallet, or
          by a whole account such as discord:80351110224678912.
        </p>
      </Empty>
    );
  }
  if (!isFiltered) {
    return (
      <Empty icon="members" title="No members yet">
        <p>Add the first one, import a list, or let your bot do it with a key.</p>
      </Empty>
    );
  }
  return (
    <Empty
      icon="members"
      title={status === '' ? 'Nobody meets these filters' : `No ${status} members`}
    >
      <p>Choose {status === '' ? 'fewer filters' : 'another status'} to see the others.</p>
    </Empty>
  );
}
