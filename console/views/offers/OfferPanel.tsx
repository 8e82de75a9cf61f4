import type { Offer } from '@realmkeep/client';
import { useRef, useState } from 'preact/hooks';
import { serviceNow } from '../../api/clock.ts';
import { isRefused } from '../../api/faults.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { offerIn } from '../../text/events.ts';
import { formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Emoji, StateBadge } from '../../ui/Offers.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Neighbours } from '../../ui/PanelNav.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { useSubmit } from '../../ui/submit.ts';
import { Text } from '../../ui/Text.tsx';
import { Id, Time } from '../../ui/Values.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';
import { ClaimList } from '../claims/ClaimList.tsx';
import { DrawDialog, DrawResult } from './Draw.tsx';
import { OfferCard } from './OfferCard.tsx';
import { OfferDialog } from './OfferDialog.tsx';

interface PanelProps {
  id: string;
  neighbours: Neighbours;
  onChanged: () => void;
  onClose: () => void;
}

/** An offer as members read it, and who has claimed it. */
export function OfferPanel({ id, neighbours, onChanged, onClose }: PanelProps) {
  const { api } = useRealm();
  const [changes, setChanges] = useState(0);
  const {
    value: offer,
    error,
    reload,
  } = useAnswer(`offer ${api.id} ${id}`, (signal) => api.offer(id).get({ signal }), changes);
  const refresh = (): void => setChanges((count) => count + 1);
  useArrivals((event) => offerIn(event) === id, refresh);
  const changed = (): void => {
    onChanged();
    refresh();
  };
  return (
    <Panel
      label={offer?.name ?? 'Offer'}
      head={offer ? <Head offer={offer} /> : error ? <h2>Offer</h2> : <Skeleton width={180} />}
      neighbours={neighbours}
      onClose={onClose}
    >
      {error && <ProblemNote error={error} retry={reload} />}
      {offer && !isRefused(error) && (
        <>
          <OfferActions offer={offer} onChanged={changed} />
          <OfferCard id={offer.id} terms={offer} stockLeft={offer.stockLeft} />
          <Facts offer={offer} />
          {offer.drawSeq !== null && <DrawResult seq={offer.drawSeq} />}
          <div class="stack tight">
            <h3>Claims</h3>
            <ClaimList
              of="offer"
              id={`${api.id} ${id}`}
              ask={(page) => api.offer(id).claims(page)}
              changes={changes}
              onChanged={changed}
            />
          </div>
        </>
      )}
    </Panel>
  );
}

function Head({ offer }: { offer: Offer }) {
  return (
    <>
      <Emoji value={offer.emoji} id={offer.id} large />
      <div class="ellipsis">
        <div class="row">
          <h2 class="ellipsis">
            <Text value={offer.name} />
          </h2>
          <StateBadge status={offer.status} />
        </div>
        <Id value={offer.id} keep={16} always />
      </div>
    </>
  );
}

function Facts({ offer: { claimed, stock, updatedAt, metadata } }: { offer: Offer }) {
  return (
    <dl class="facts">
      <dt>Claimed</dt>
      <dd class="number">
        {formatNumber(claimed)}
        {stock !== null && ` of ${formatNumber(stock)}`}
      </dd>
      <Fact label="Changed" value={<Time at={updatedAt} />} />
      {Object.entries(metadata).map(([name, value]) => (
        <Fact key={name} label={<Text value={name} />} value={<Text value={String(value)} />} />
      ))}
    </dl>
  );
}

interface ActionProps {
  offer: Offer;
  onChanged: () => void;
}

/** Nothing is offered that the service would refuse. */
function OfferActions({ offer, onChanged }: ActionProps) {
  const { realm } = useRealm();
  const [dialog, setDialog] = useState<'edit' | 'draw' | null>(null);
  const change = useChange(offer, onChanged);
  if (!mayChange(realm, 'admin')) return null;
  const { archived, status, claimed, drawSeq } = offer;
  const opened = { offer, onChanged, onClose: () => setDialog(null) };
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
    const { opensAt, closesAt, archived, updatedAt } = before;
    // To do the same once more, after it was undone, is another change.
    await api.offer(id).update({ ...changes, ...write([updatedAt, changes]) });
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
