import type { Member, Realm } from '@realmkeep/client';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { View } from '../../frame/View.tsx';
import { suggest } from '../../state/answers.ts';
import { useAsked } from '../../state/asked.ts';
import { hiddenColumns, toggleColumn } from '../../state/columns.ts';
import { imports, isUnderWay } from '../../state/imports.ts';
import { mayChange, type OpenRealm, useRealm } from '../../state/realm.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { useQuery } from '../../ui/query.ts';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { MemberPanel } from '../member/MemberPanel.tsx';
import { memberKey } from '../member/member-key.ts';
import { memberColumns } from './columns.tsx';
import { EnrolDialog } from './EnrolDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { useFreshRows } from './fresh-rows.ts';
import { useMembers } from './use-members.ts';

const STATUSES = [
  { value: '', label: 'Active and frozen' },
  { value: 'active', label: 'Active' },
  { value: 'frozen', label: 'Frozen' },
];

const NEWEST = '-createdAt';

export function Members({ member }: { member?: string }) {
  const open = useRealm();
  const { route } = useLocation();
  const { listSearch } = useQuery();
  return (
    <View title="Members">
      <div class="content full">
        <MemberList open={open} selected={member} />
      </div>
      {member && (
        <MemberPanel
          key={member}
          id={member}
          onClose={() => route(addresses.members(open.realm.id) + listSearch)}
        />
      )}
    </View>
  );
}

function MemberList({ open, selected }: { open: OpenRealm; selected: string | undefined }) {
  const { query, search, set } = useQuery();
  const { search: typed = '', status = '' } = query;
  const kind = useKind();
  const { pages, sort, sorts } = useMembers(open, { ...query, kind: kind.id });
  const isFiltered = typed !== '' || status !== '';
  const fresh = useFreshRows(open, pages, isFiltered);
  // In a list that is not loaded as a whole they may be anywhere, unless the newest come first.
  const showJoined = (): void => {
    if (pages.hasMore) scrollTo({ top: 0 });
    if (pages.hasMore && sort !== NEWEST) set({ sort: NEWEST });
    else fresh.show();
  };
  const href = ({ id }: Member) => addresses.member(open.realm.id, id, search);
  const columns = memberColumns(kind, href);
  // The panel begins with the row, and has it while the service is away.
  useMemo(() => {
    const row = pages.rows?.find(({ id }) => id === selected);
    if (row) suggest(memberKey(open.realm.id, row.id), row);
  }, [selected]);
  return (
    <>
      <div class="toolbar">
        <SearchBox
          label="Find members"
          placeholder="Name, id, account or wallet"
          value={typed}
          onChange={(value) => set({ search: value })}
        />
        <KindSelect />
        <Select
          label="Status"
          value={status}
          choices={STATUSES}
          onChange={(value) => set({ status: value })}
        />
        {fresh.joined && (
          <Button small onClick={showJoined}>
            {fresh.joined} new
          </Button>
        )}
        <ColumnMenu columns={columns} />
        <Actions realm={open.realm} isFiltered={isFiltered} onEnrolled={fresh.show} />
      </div>
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <div class="card sticky-head">
        <Table
          label="Members"
          columns={columns.filter(({ id }) => !hiddenColumns.value.includes(id))}
          rows={pages.rows}
          order={sort}
          sorts={sorts}
          onOrder={(by) => set({ sort: by === sort ? '' : by })}
          rowKey={pages.rowKey}
          rowClass={({ id }) => (id === selected ? 'linked current' : 'linked')}
          paging={pages}
          empty={<Nobody search={typed} status={status} />}
        />
      </div>
    </>
  );
}

interface ActionsProps {
  realm: Realm;
  isFiltered: boolean;
  onEnrolled: () => void;
}

function Actions({ realm, isFiltered, onEnrolled }: ActionsProps) {
  const [open, setOpen] = useState<'enrol' | 'export' | null>(null);
  const close = useCallback(() => setOpen(null), []);
  useAsked('enrol', () => setOpen('enrol'));
  useAsked('export', () => setOpen('export'));
  return (
    <div class="row push">
      <Button icon="export" onClick={() => setOpen('export')}>
        Export
      </Button>
      {mayChange(realm) && (
        <>
          <LinkButton href={addresses.import(realm.id)} icon="import">
            {isUnderWay(imports.value[realm.id]) ? 'Importing…' : 'Import'}
          </LinkButton>
          <Button tone="primary" icon="plus" onClick={() => setOpen('enrol')}>
            Add member
          </Button>
        </>
      )}
      {open === 'enrol' && <EnrolDialog onDone={onEnrolled} onClose={close} />}
      {open === 'export' && <ExportDialog isFiltered={isFiltered} onClose={close} />}
    </div>
  );
}

/** Which columns are shown; the name always is. */
function ColumnMenu({ columns }: { columns: Column<Member>[] }) {
  const items = columns.slice(1).map(
    ({ id, header }): MenuItem => ({
      label: header,
      isChecked: !hiddenColumns.value.includes(id),
      onSelect: () => toggleColumn(id),
    }),
  );
  return (
    <div class="not-on-phones">
      <Menu label="Columns" class="button quiet icon-only" items={items} side="start">
        <Icon name="columns" />
      </Menu>
    </div>
  );
}

function Nobody({ search, status }: { search: string; status: string }) {
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
  return status === '' ? (
    <Empty icon="members" title="No members yet">
      <p>Add the first one, import a list, or let your bot do it with a key.</p>
    </Empty>
  ) : (
    <Empty icon="members" title={`No ${status} members`}>
      <p>Choose another status to see the others.</p>
    </Empty>
  );
}
