import type { Hold, Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { given } from '../../api/service.ts';
import { usePages } from '../../state/pages.ts';
import { kindOf, mayChange, useRealm } from '../../state/realm.ts';
import { amountOf } from '../../text/sentence.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';
import { CaptureDialog, ReleaseDialog } from './HoldEnds.tsx';

interface HoldsProps {
  member: Member;
  changes: number;
  onChanged: () => void;
}

const BADGES = {
  open: <span class="badge held">Set aside</span>,
  captured: <span class="badge">Taken</span>,
  released: <span class="badge">Released</span>,
  expired: <span class="badge">Expired</span>,
};

export function Holds({ member, changes, onChanged }: HoldsProps) {
  const { api, realm, kinds } = useRealm();
  const [ending, setEnding] = useState<{ hold: Hold; isTaking: boolean } | null>(null);
  const pages = usePages<Hold>(
    member.id,
    (cursor, signal) => api.member(member.id).holds({ ...given({ cursor }), limit: 50, signal }),
    changes,
  );
  const end = (hold: Hold, isTaking: boolean): void => setEnding({ hold, isTaking });
  const describe = (hold: Hold) =>
    amountOf(hold.remaining || hold.tokens, kindOf(kinds, hold.realmPointId));
  const Ending = ending?.isTaking ? CaptureDialog : ReleaseDialog;
  return (
    <div class="stack tight">
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <div class="flush">
        <Table
          label="Points set aside"
          columns={columns(describe, mayChange(realm) ? end : null)}
          rows={pages.rows}
          rowKey={({ holdId }) => holdId}
          hasMore={pages.hasMore}
          onMore={pages.more}
          empty={
            <Empty icon="hold" title="Nothing is set aside">
              <p>Points that are set aside for a purchase stay in the balance until it is done.</p>
            </Empty>
          }
        />
      </div>
      {ending && (
        <Ending
          member={member}
          hold={ending.hold}
          kind={kindOf(kinds, ending.hold.realmPointId)}
          onChanged={onChanged}
          onClose={() => setEnding(null)}
        />
      )}
    </div>
  );
}

const columns = (
  describe: (hold: Hold) => string,
  onEnd: ((hold: Hold, isTaking: boolean) => void) | null,
): Column<Hold>[] => [
  {
    id: 'what',
    header: 'What',
    cell: (hold) => (
      <div class="two-lines">
        <span class="ellipsis">
          {hold.description ? <Text value={hold.description} /> : describe(hold)}
        </span>
        <span class="caption ellipsis">
          {hold.description && `${describe(hold)} · `}
          {hold.status === 'open' ? 'ends ' : ''}
          <Time at={hold.status === 'open' ? hold.expiresAt : hold.createdAt} />
        </span>
      </div>
    ),
  },
  { id: 'status', header: 'State', width: 104, cell: ({ status }) => BADGES[status] },
  {
    id: 'actions',
    header: '',
    width: 160,
    cell: (hold) =>
      onEnd &&
      hold.status === 'open' && (
        <span class="row end-row">
          <Button small onClick={() => onEnd(hold, true)}>
            Take
          </Button>
          <Button small onClick={() => onEnd(hold, false)}>
            Release
          </Button>
        </span>
      ),
  },
];
