import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../../api/faults.ts';
import { gather, MOST_AT_ONCE } from '../../api/many-members.ts';
import type { Source } from '../../state/paged-list.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import type { Selection } from '../../state/selection.ts';
import { toast } from '../../state/toasts.ts';
import { memberFile } from '../../text/csv.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { saveCsv } from '../../ui/files.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { useUnmountSignal } from '../../ui/unmount.ts';
import { FreezeManyDialog, PointsDialog, TagDialog } from '../many/later.tsx';

interface BarProps {
  selection: Selection<Member>;
  /** How many rows are loaded, and whether the list has more. */
  listed: number;
  hasMore: boolean;
  ask: Source<Member>['ask'];
  onChanged: () => void;
}

type Action = 'add' | 'take' | 'freeze' | 'unfreeze' | 'tag';

/** What can be done to the members that are selected. */
export function SelectionBar({ selection, listed, hasMore, ask, onChanged }: BarProps) {
  const { api, realm, kinds } = useRealm();
  const [action, setAction] = useState<Action | null>(null);
  const { rows } = selection;
  const gathering = useGathering(ask, selection.set);
  if (rows.length === 0) return null;
  const isMost = rows.length === MOST_AT_ONCE;
  const save = (): void => {
    const { header, lineOf } = memberFile(kinds);
    saveCsv(`${api.id}-selected-members.csv`, [header, ...rows.map(lineOf)]);
    toast({ text: `${plural(rows.length, 'member')} exported` });
  };
  const canGather = (hasMore || rows.length < listed) && rows.length < MOST_AT_ONCE;
  return (
    <section class="row wrap number selection-bar" aria-label="Selected members">
      <span role="status">
        {gathering.found === null
          ? `${formatNumber(rows.length)} selected${isMost ? ', no more at once' : ''}`
          : `${formatNumber(gathering.found)} found…`}
      </span>
      {canGather && gathering.found === null && (
        <Button small tone="quiet" onClick={gathering.start}>
          Select all that match
        </Button>
      )}
      {mayChange(realm) && (
        <>
          <Button small tone="primary" icon="plus" onClick={() => setAction('add')}>
            Add points
          </Button>
          <Button small icon="minus" onClick={() => setAction('take')}>
            Take points
          </Button>
          <Menu
            label="More for the selected members"
            class="button small icon-only"
            side="up"
            items={[
              { label: 'Tag', icon: 'edit', onSelect: () => setAction('tag') },
              { label: 'Freeze', icon: 'freeze', onSelect: () => setAction('freeze') },
              { label: 'Unfreeze', icon: 'freeze', onSelect: () => setAction('unfreeze') },
            ]}
          >
            <Icon name="more" />
          </Menu>
        </>
      )}
      <Button small icon="export" onClick={save}>
        Export
      </Button>
      <Button
        small
        tone="quiet"
        icon="close"
        label="Clear the selection"
        onClick={selection.clear}
      />
      {action && (
        <ActionDialog
          action={action}
          // As they were selected: the list goes on meanwhile.
          members={rows}
          onChanged={onChanged}
          onClose={() => setAction(null)}
        />
      )}
    </section>
  );
}

interface ActionProps {
  action: Action;
  members: readonly Member[];
  onChanged: () => void;
  onClose: () => void;
}

function ActionDialog({ action, members, ...rest }: ActionProps) {
  const [chosen] = useState(members);
  if (action === 'tag') return <TagDialog members={chosen} {...rest} />;
  if (action === 'add' || action === 'take') {
    return <PointsDialog members={chosen} isTaking={action === 'take'} {...rest} />;
  }
  return <FreezeManyDialog members={chosen} isFreezing={action === 'freeze'} {...rest} />;
}

/** Walks the whole list, to select everybody in it; up to a bound, which is said. */
function useGathering(ask: Source<Member>['ask'], onFound: (members: Member[]) => void) {
  const [found, setFound] = useState<number | null>(null);
  const signal = useUnmountSignal();
  const start = async (): Promise<void> => {
    const walk = gather(ask, signal, setFound);
    const members = await walk.catch((error: Error) => error);
    if (signal.aborted) return;
    setFound(null);
    if (members instanceof Error) toast({ text: sentenceOf(members), isProblem: true });
    else onFound(members);
  };
  return { found, start: () => void start() };
}
