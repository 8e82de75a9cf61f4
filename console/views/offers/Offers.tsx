import type { Offer } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { View } from '../../frame/View.tsx';
import { useAsked } from '../../state/asked.ts';
import { useArrivals } from '../../state/live.ts';
import { usePages } from '../../state/pages.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { choicesOf, limitText } from '../../text/offers.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import { Emoji, StateBadge } from '../../ui/Offers.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { neighboursOf } from '../../ui/PanelNav.tsx';
import { useQuery } from '../../ui/query.ts';
import { Empty } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { usePrice } from './OfferCard.tsx';
import { OfferDialog } from './OfferDialog.tsx';
import { OfferPanel } from './OfferPanel.tsx';

const STATES = [
  { value: '', label: 'All offers' },
  ...choicesOf(['open', 'upcoming', 'soldOut', 'closed', 'archived']),
];

/** What members may take, and how often they have. */
export function Offers({ offer: selected }: { offer?: string }) {
  const { api, realm } = useRealm();
  const { route } = useLocation();
  const { query, search, set } = useQuery();
  const [isAdding, setAdding] = useState(false);
  const status = STATES.find(({ value }) => value === query.status)?.value ?? '';
  const pages = usePages<Offer>({
    key: `offers ${realm.id} ${status}`,
    rowKey: ({ id }) => id,
    limit: 50,
    ask: (page) => api.offers({ ...page, ...given({ status: (status || undefined) as Status }) }),
  });
  useArrivals(({ type }) => /^(offer|claim)\./.test(type), pages.reload);
  const canAdd = mayChange(realm, 'admin');
  const add = (): void => setAdding(true);
  useAsked('add an offer', add);
  const href = (id: string): string => addresses.offer(realm.id, id, search);
  return (
    <View title="Offers">
      <div class="content">
        <div class="toolbar">
          <Select
            label="State"
            value={status}
            choices={STATES}
            onChange={(value) => set({ status: value })}
          />
          {canAdd && (
            <div class="push">
              <Button tone="primary" icon="plus" onClick={add}>
                Add an offer
              </Button>
            </div>
          )}
        </div>
        <PagedTable
          class="card wraps"
          label="Offers"
          columns={columns(href)}
          pages={pages}
          rowClass={({ id }) => (id === selected ? 'linked current' : 'linked')}
          empty={<NoOffers isFiltered={status !== ''} onAdd={canAdd ? add : undefined} />}
        />
      </div>
      {selected && (
        <OfferPanel
          key={selected}
          id={selected}
          neighbours={neighboursOf(pages.rows, selected, href)}
          onChanged={pages.reload}
          onClose={() => route(addresses.offers(realm.id) + search)}
        />
      )}
      {isAdding && (
        <OfferDialog
          offer={null}
          onAdded={(id) => route(href(id))}
          onChanged={pages.reload}
          onClose={() => setAdding(false)}
        />
      )}
    </View>
  );
}

type Status = Offer['status'] | undefined;

const NoOffers = ({
  isFiltered,
  onAdd,
}: {
  isFiltered: boolean;
  onAdd: (() => void) | undefined;
}) => (
  <Empty icon="offer" title={isFiltered ? 'No offer is in this state' : 'No offers yet'}>
    <p>
      A daily reward, a quest, a shop item or a raffle: something that members may take, on your
      terms. The service counts, and says no when it is time to.
    </p>
    {onAdd && !isFiltered && (
      <Button icon="plus" onClick={onAdd}>
        Add the first offer
      </Button>
    )}
  </Empty>
);

/** The price, and how often one may pay it. */
function Price({ offer }: { offer: Offer }) {
  const limit = limitText(offer.perMember);
  return (
    <>
      {usePrice(offer)}
      {limit && <span class="muted"> · {limit.toLowerCase()}</span>}
    </>
  );
}

const columns = (href: (id: string) => string): Column<Offer>[] => [
  {
    id: 'name',
    header: 'Offer',
    cell: (offer) => (
      <div class="row">
        <Emoji value={offer.emoji} id={offer.id} />
        <div class="two-lines">
          <a class="row-link ellipsis" href={href(offer.id)}>
            <Text value={offer.name} />
          </a>
          <span class="caption ellipsis">
            <Price offer={offer} />
          </span>
          <div class="on-phones">
            <StateBadge status={offer.status} />
          </div>
        </div>
      </div>
    ),
  },
  {
    id: 'claimed',
    header: 'Claimed',
    isNumber: true,
    width: 96,
    figure: ({ claimed }) => claimed,
    cell: ({ claimed }) => formatNumber(claimed),
  },
  {
    id: 'left',
    header: 'Left',
    isNumber: true,
    width: 88,
    from: 'medium',
    figure: ({ stockLeft }) => stockLeft ?? 0,
    cell: ({ stockLeft }) =>
      stockLeft === null ? <span class="muted">No limit</span> : formatNumber(stockLeft),
  },
  {
    id: 'state',
    header: 'State',
    width: 120,
    from: 'medium',
    cell: ({ status }) => <StateBadge status={status} />,
  },
];
