import type { Hold, Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { canCapture, holdStatus } from '../../state/allowed.ts';
import { now } from '../../state/clock.ts';
import { usePages } from '../../state/pages.ts';
import { kindOf, mayChange, useRealm } from '../../state/realm.ts';
import { amountOf } from '../../text/sentence.ts';
import { Button } from '../../ui/Button.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Empty } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';
import { CaptureDialog, ReleaseDialog } from './HoldEnds.tsx';

interface HoldsProps {
  member: Member;
  changes: number;
  onChanged: () => void;
}

const STATES = {
  open: 'On hold',
  captured: 'Captured',
  released: 'Released',
  expired: 'Expired',
};

export function Holds({ member, changes, onChanged }: HoldsProps) {
  const { api, realm, kinds } = useRealm();
  const [ending, setEnding] = useState<{ hold: Hold; isTaking: boolean } | null>(null);
  const pages = usePages<Hold>({
    key: `holds ${realm.id} ${member.id}`,
    rowKey: ({ holdId }) => holdId,
    limit: 50,
    ask: (page) => api.member(member.id).holds(page),
    version: changes,
  });
  const canTake = ({ realmPointId }: Hold): boolean =>
    canCapture(member, kindOf(kinds, realmPointId));
  const end = (hold: Hold, isTaking: boolean): void => setEnding({ hold, isTaking });
  const describe = (hold: Hold) =>
    amountOf(hold.remaining || hold.tokens, kindOf(kinds, hold.realmPointId));
  const isEnding = ({ holdId }: Hold): boolean => holdId === ending?.hold.holdId;
  const Ending = ending?.isTaking ? CaptureDialog : ReleaseDialog;
  return (
    <div class="stack tight">
      <PagedTable
        class="flush"
        label="Points on hold"
        columns={columns(describe, mayChange(realm) ? { canTake, end } : null)}
        pages={pages}
        empty={
          <Empty icon="hold" title="Nothing is on hold">
            <p>Points on hold for a purchase stay in the balance until they are captured.</p>
          </Empty>
        }
      />
      {ending && (
        <Ending
          member={member}
          hold={pages.rows?.find(isEnding) ?? ending.hold}
          kind={kindOf(kinds, ending.hold.realmPointId)}
          onChanged={onChanged}
          onClose={() => setEnding(null)}
        />
      )}
    </div>
  );
}

interface Actions {
  canTake: (hold: Hold) => boolean;
  end: (hold: Hold, isTaking: boolean) => void;
}

const isOpen = (hold: Hold): boolean => holdStatus(hold, now.value) === 'open';

const columns = (describe: (hold: Hold) => string, actions: Actions | null): Column<Hold>[] => [
  {
    id: 'what',
    header: 'What',
    cell: (hold) => (
      <div class="two-lines">
        <span class={hold.description ? 'ellipsis' : 'whole'}>
          {hold.description ? <Text value={hold.description} /> : describe(hold)}
        </span>
        <span class="caption whole">
          {hold.description && `${describe(hold)} · `}
          {isOpen(hold) ? (
            'ends '
          ) : (
            <span class="on-phones">{STATES[holdStatus(hold, now.value)]} · </span>
          )}
          <Time at={isOpen(hold) ? hold.expiresAt : hold.createdAt} />
        </span>
      </div>
    ),
  },
  {
    id: 'status',
    header: 'State',
    width: 104,
    from: 'medium',
    cell: (hold) => {
      const status = holdStatus(hold, now.value);
      return <span class={status === 'open' ? 'badge held' : 'badge'}>{STATES[status]}</span>;
    },
  },
  {
    id: 'actions',
    header: '',
    width: 160,
    cell: (hold) =>
      actions &&
      isOpen(hold) && (
        <span class="row end-row">
          {actions.canTake(hold) && (
            <Button small onClick={() => actions.end(hold, true)}>
              Capture
            </Button>
          )}
          <Button small onClick={() => actions.end(hold, false)}>
            Release
          </Button>
        </span>
      ),
  },
];
