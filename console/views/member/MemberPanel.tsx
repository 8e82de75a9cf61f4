import { isProblem, type Member, type RealmEvent } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { isRefused } from '../../api/faults.ts';
import { useAnswer } from '../../state/answers.ts';
import { membersOf, useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { Tabs } from '../../ui/Choices.tsx';
import { useKind } from '../../ui/KindSelect.tsx';
import { Avatar, nameOf } from '../../ui/MemberName.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Neighbours } from '../../ui/PanelNav.tsx';
import { useQuery } from '../../ui/query.ts';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { Id } from '../../ui/Values.tsx';
import { ClaimList } from '../claims/ClaimList.tsx';
import { Balance, BalanceChart } from './Balance.tsx';
import { Details } from './Details.tsx';
import { Holds } from './Holds.tsx';
import { MemberActions } from './MemberActions.tsx';
import { memberKey } from './member-key.ts';
import { Statement } from './Statement.tsx';
import { Wallets } from './Wallets.tsx';

/** What was said of another member may be erased with that member. */
const concerns =
  (id: string) =>
  (event: RealmEvent): boolean =>
    membersOf(event).includes(id) || event.type === 'member.erased';

interface PanelProps {
  id: string;
  neighbours: Neighbours;
  onClose: () => void;
}

/** Everything about one member, beside the list it was opened from. */
export function MemberPanel({ id, neighbours, onClose }: PanelProps) {
  const { api } = useRealm();
  const {
    value: member,
    error,
    reload,
  } = useAnswer(memberKey(api.id, id), (signal) => api.member(id).get({ signal }));
  const [changes, setChanges] = useState(0);
  const refresh = (): void => {
    reload();
    setChanges((count) => count + 1);
  };
  useArrivals(concerns(id), refresh);
  return (
    <Panel
      label={member ? nameOf(member) : 'Member'}
      head={member ? <Head member={member} /> : error ? <h2>Member</h2> : <Skeleton width={180} />}
      neighbours={neighbours}
      onClose={onClose}
    >
      {error && <ProblemNote error={error} retry={reload} />}
      {isProblem(error) && error.code === 'member-not-found' && <Removed />}
      {/* Who was removed while one looked can be given nothing any more. */}
      {member && !isRefused(error) && (
        <Body member={member} changes={changes} onChanged={refresh} />
      )}
    </Panel>
  );
}

function Removed() {
  const { realm } = useRealm();
  return (
    <p class="muted">
      Who was removed has no page any more. What happened is in the{' '}
      <a class="link" href={addresses.activity(realm.id)}>
        activity
      </a>
      .
    </p>
  );
}

function Head({ member }: { member: Member }) {
  const { username, displayName } = member;
  return (
    <>
      <Avatar member={member} size="large" />
      <div class="ellipsis">
        <div class="row">
          <h2 class="ellipsis">
            <Text value={nameOf(member)} />
          </h2>
          {member.status === 'frozen' && <span class="badge accent">Frozen</span>}
        </div>
        <div class="row caption">
          {username && displayName && username !== displayName && (
            <Text class="ellipsis" value={username} />
          )}
          <Id value={member.id} always />
        </div>
      </div>
    </>
  );
}

interface BodyProps {
  member: Member;
  changes: number;
  onChanged: () => void;
}

function Body({ member, changes, onChanged }: BodyProps) {
  const { api } = useRealm();
  const { query, set } = useQuery();
  const kind = useKind();
  const tabs = [
    { id: 'statement', label: 'Statement' },
    { id: 'claims', label: 'Claims' },
    { id: 'holds', label: 'On hold' },
    { id: 'wallets', label: 'Wallets', count: member.wallets.length },
    { id: 'details', label: 'Details' },
  ];
  const tab = tabs.find(({ id }) => id === query.tab)?.id ?? 'statement';
  return (
    <>
      <Balance member={member} kind={kind} onKind={(value) => set({ kind: value })} />
      <MemberActions member={member} kind={kind} onChanged={onChanged} />
      <BalanceChart memberId={member.id} kind={kind} changes={changes} />
      <Tabs
        label="About the member"
        tabs={tabs}
        current={tab}
        onChange={(id) => set({ tab: id === 'statement' ? '' : id })}
      >
        {tab === 'statement' && (
          <Statement member={member} kind={kind} changes={changes} onChanged={onChanged} />
        )}
        {tab === 'claims' && (
          <ClaimList
            of="member"
            id={`${api.id} ${member.id}`}
            ask={(page) => api.member(member.id).claims(page)}
            changes={changes}
            onChanged={onChanged}
          />
        )}
        {tab === 'holds' && <Holds member={member} changes={changes} onChanged={onChanged} />}
        {tab === 'wallets' && <Wallets member={member} changes={changes} onChanged={onChanged} />}
        {tab === 'details' && <Details member={member} />}
      </Tabs>
    </>
  );
}
