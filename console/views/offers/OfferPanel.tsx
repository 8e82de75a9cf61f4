import type { Offer } from '@realmkeep/client';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { isRefused } from '../../api/faults.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { offerIn } from '../../text/events.ts';
import { formatNumber } from '../../text/format.ts';
import { Emoji, StateBadge } from '../../ui/Offers.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Neighbours } from '../../ui/PanelNav.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { Id, Time } from '../../ui/Values.tsx';
import { ClaimList } from '../claims/ClaimList.tsx';
import { DrawResult } from './Draw.tsx';
import { OfferActions } from './OfferActions.tsx';
import { OfferCard } from './OfferCard.tsx';

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
      <dt>Changed</dt>
      <dd>
        <Time at={updatedAt} />
      </dd>
      {Object.entries(metadata).map(([name, value]) => (
        <Fragment key={name}>
          <dt>
            <Text value={name} />
          </dt>
          <dd>
            <Text value={String(value)} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
