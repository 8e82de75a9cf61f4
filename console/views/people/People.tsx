import type { InvitedPerson, Person } from '@realmkeep/client';
import { useMemo, useState } from 'preact/hooks';
import { View } from '../../frame/View.tsx';
import { useAsked } from '../../state/asked.ts';
import { useArrivals } from '../../state/live.ts';
import { usePages } from '../../state/pages.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { may } from '../../state/session.ts';
import { roleName } from '../../text/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Intro } from '../../ui/Intro.tsx';
import { Disc } from '../../ui/MemberName.tsx';
import { RowMenu } from '../../ui/Menu.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Empty } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import { Time } from '../../ui/Values.tsx';
import {
  calledPerson,
  isReader,
  LinkDialog,
  NewLinkDialog,
  PersonDialog,
  PersonSessions,
  RemovePersonDialog,
} from './PersonDialogs.tsx';
import { OWNERS, type Team, teamOf } from './team.ts';

/** Who signs in to the realm, and with which role. */
export function People() {
  const { api, realm } = useRealm();
  const team = useMemo(() => teamOf(api), [api]);
  return (
    <TeamView
      team={team}
      note="People sign in as themselves. Bots and shops call the service with a key."
      canInvite={mayChange(realm, 'admin')}
      canRemove={may('admin')}
    />
  );
}

/** Who may do everything in every realm. */
export const Owners = () => (
  <TeamView
    team={OWNERS}
    note="Owners may do everything in every realm. A realm has people of its own, too."
    canInvite
    canRemove
  />
);

type Action = 'edit' | 'link' | 'sessions' | 'remove';

type Open =
  | { dialog: 'invite' }
  | { dialog: Action; person: Person }
  | { dialog: 'invited'; person: InvitedPerson };

interface TeamProps {
  team: Team;
  note: string;
  canInvite: boolean;
  canRemove: boolean;
}

function TeamView({ team, note, canInvite, canRemove }: TeamProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const pages = usePages<Person>({
    key: `people ${team.id}`,
    rowKey: ({ id }) => id,
    limit: 100,
    ask: team.list,
  });
  useArrivals(({ type }) => type.startsWith('person.'), pages.reload);
  const invite = (): void => setOpen({ dialog: 'invite' });
  useAsked('invite a person', invite);
  const actions: Action[] = [
    ...(canInvite ? (['edit', 'link'] as const) : []),
    ...(canRemove ? (['sessions', 'remove'] as const) : []),
  ];
  return (
    <View title="People" class="content">
      <Intro
        note={note}
        action={
          canInvite && (
            <Button tone="primary" icon="plus" onClick={invite}>
              {team.hasRoles ? 'Invite a person' : 'Invite an owner'}
            </Button>
          )
        }
      />
      <PagedTable
        label="People"
        columns={columns(team.hasRoles, actions, (dialog, person) => setOpen({ dialog, person }))}
        pages={pages}
        empty={
          <Empty icon="members" title="Nobody is invited yet">
            <p>Invite those who look after this community. Each gets a link, and a passkey.</p>
            {canInvite && (
              <Button icon="plus" onClick={invite}>
                Invite the first one
              </Button>
            )}
          </Empty>
        }
      />
      {open && <Opened team={team} open={open} setOpen={setOpen} reload={pages.reload} />}
    </View>
  );
}

interface OpenedProps {
  team: Team;
  open: Open;
  setOpen: (open: Open | null) => void;
  reload: () => void;
}

function Opened({ team, open, setOpen, reload }: OpenedProps) {
  const close = (): void => setOpen(null);
  const show = (person: InvitedPerson): void => {
    reload();
    setOpen({ dialog: 'invited', person });
  };
  if (open.dialog === 'invite') {
    return <PersonDialog team={team} onChanged={reload} onInvited={show} onClose={close} />;
  }
  if (open.dialog === 'invited') return <LinkDialog person={open.person} onClose={close} />;
  const { dialog, person } = open;
  const props = { team, person, onChanged: reload, onInvited: show, onClose: close };
  if (dialog === 'edit') return <PersonDialog {...props} />;
  if (dialog === 'link') return <NewLinkDialog {...props} />;
  return dialog === 'sessions' ? <PersonSessions {...props} /> : <RemovePersonDialog {...props} />;
}

const ACTIONS = {
  edit: { label: 'Change', icon: 'edit' },
  link: { label: 'New link', icon: 'passkey' },
  sessions: { label: 'Sessions', icon: 'system' },
  remove: { label: 'Remove', icon: 'remove', isDanger: true },
} as const;

const columns = (
  hasRoles: boolean,
  actions: Action[],
  onOpen: (action: Action, person: Person) => void,
): Column<Person>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (person) => (
      <span class="row">
        <Disc id={person.id} name={calledPerson(person)} />
        <span class="two-lines">
          <span class="row">
            <Text class="ellipsis" value={calledPerson(person)} />
            {isReader(person) && <span class="badge accent">You</span>}
          </span>
          <span class="caption on-phones">{roleName(person.role)}</span>
        </span>
      </span>
    ),
  },
  ...(hasRoles ? [ROLE] : []),
  {
    id: 'seen',
    header: 'Last seen',
    width: 104,
    cell: ({ lastSeenAt }) =>
      lastSeenAt ? (
        <span class="muted">
          <Time at={lastSeenAt} />
        </span>
      ) : (
        <span class="badge held">Invited</span>
      ),
  },
  timeColumn('created', 'Since', ({ createdAt }) => createdAt),
  ...(actions.length > 0 ? [menuOf(actions, onOpen)] : []),
];

const ROLE: Column<Person> = {
  id: 'role',
  header: 'Role',
  width: 112,
  from: 'medium',
  cell: ({ role }) => <span class="badge">{roleName(role)}</span>,
};

const menuOf = (
  actions: Action[],
  onOpen: (action: Action, person: Person) => void,
): Column<Person> => ({
  id: 'menu-cell',
  header: '',
  width: 56,
  cell: (person) => (
    <RowMenu
      label={`Actions for ${calledPerson(person)}`}
      items={actions.map((action) => ({
        ...ACTIONS[action],
        onSelect: () => onOpen(action, person),
      }))}
    />
  ),
});
