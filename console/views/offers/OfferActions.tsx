import type { Offer } from '@realmkeep/client';
import { useRef, useState } from 'preact/hooks';
import { serviceNow } from '../../api/clock.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { ProblemNote } from '../../ui/States.tsx';
import { useSubmit } from '../../ui/submit.ts';
import { useIdempotencyKey } from '../../ui/writes.ts';
import { DrawDialog } from './Draw.tsx';
import { OfferDialog } from './OfferDialog.tsx';

interface ActionProps {
  offer: Offer;
  onChanged: () => void;
}

/** Nothing is offered that the service would refuse. */
export function OfferActions({ offer, onChanged }: ActionProps) {
  const { realm } = useRealm();
  const [dialog, setDialog] = useState<'edit' | 'draw' | null>(null);
  const change = useChange(offer, onChanged);
  if (!mayChange(realm, 'admin')) return null;
  const { archived, status, claimed, drawSeq } = offer;
  const opened = { offer, onDone: onChanged, onClose: () => setDialog(null) };
  const isOver = status === 'closed' || archived;
  const archive = () => change.to({ archived: !archived }, archived ? 'brought back' : 'archived');
  return (
    <div class="stack tight">
      <div class="toolbar">
        {isOver && drawSeq === null && claimed > 0 && (
          <Button tone="primary" onClick={() => setDialog('draw')}>
            Draw winners
          </Button>
        )}
        <Button icon="edit" onClick={() => setDialog('edit')}>
          Edit
        </Button>
        {!archived && drawSeq === null && <StartOrStop offer={offer} change={change} />}
        <Menu
          label="More actions"
          class="button icon-only"
          items={[
            archived
              ? { label: 'Bring back', icon: 'undo', onSelect: archive }
              : { label: 'Archive', icon: 'remove', isDanger: true, onSelect: archive },
          ]}
        >
          <Icon name="more" />
        </Menu>
      </div>
      {change.error && <ProblemNote error={change.error} isChange />}
      {dialog === 'edit' && <OfferDialog {...opened} />}
      {dialog === 'draw' && <DrawDialog {...opened} />}
    </div>
  );
}

type Changes = Partial<Pick<Offer, 'opensAt' | 'closesAt' | 'archived'>>;

interface Change {
  to: (changes: Changes, done: string) => void;
  busy: boolean;
  error: Error | undefined;
}

/** Changes an offer at once, with a way back. */
function useChange({ id, name, ...before }: Offer, onChanged: () => void): Change {
  const { api } = useRealm();
  const write = useIdempotencyKey();
  const wanted = useRef<[Changes, string]>([{}, '']);
  const { busy, error, submit } = useSubmit(async () => {
    const [changes, done] = wanted.current;
    const { opensAt, closesAt, archived } = before;
    await api.offer(id).update({ ...changes, ...write([id, changes]) });
    const back = { opensAt, closesAt, archived };
    const undo = () => api.offer(id).update(back).then(onChanged);
    toast({ text: `${name} ${done}`, undo });
    onChanged();
  });
  const to = (changes: Changes, done: string): void => {
    wanted.current = [changes, done];
    void submit();
  };
  return { to, busy, error };
}

function StartOrStop({ offer, change }: { offer: Offer; change: Change }) {
  const isOpen = offer.status === 'open' || offer.status === 'soldOut';
  const act = (): void => {
    if (isOpen) change.to({ closesAt: new Date(serviceNow()).toISOString() }, 'closed');
    else change.to(offer.status === 'upcoming' ? { opensAt: null } : { closesAt: null }, 'opened');
  };
  return (
    <Button icon={isOpen ? 'hold' : 'release'} busy={change.busy} onClick={act}>
      {isOpen ? 'Close now' : offer.status === 'closed' ? 'Open again' : 'Open now'}
    </Button>
  );
}
