import type { Claim } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { given } from '../../api/service.ts';
import { View } from '../../frame/View.tsx';
import { useArrivals } from '../../state/live.ts';
import { offersOf } from '../../state/offers.ts';
import { type Pages, usePages } from '../../state/pages.ts';
import { useRealm } from '../../state/realm.ts';
import { choicesOf } from '../../text/offers.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { Select } from '../../ui/Field.tsx';
import { useQuery } from '../../ui/query.ts';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { ClaimTable } from './ClaimTable.tsx';

const ALL = 'all';
const STATES = [...choicesOf(['pending', 'done', 'rejected']), { value: ALL, label: 'All' }];

/** What waits for delivery, and what was delivered or rejected. */
export function Claims() {
  const { api, realm } = useRealm();
  const { query, set } = useQuery();
  const status = STATES.find(({ value }) => value === query.status)?.value ?? 'pending';
  const { offer: offerId = '' } = query;
  const filters = { offerId, status: (status === ALL ? '' : status) as Claim['status'] };
  const pages = usePages<Claim>({
    key: JSON.stringify(['claims', realm.id, filters]),
    rowKey: ({ claimId }) => claimId,
    limit: 50,
    ask: (page) => api.claims({ ...page, ...given(filters) }),
  });
  const news = useNews(pages);
  const known = [...offersOf(api).value.values()];
  return (
    <View title="Claims" class="content">
      <div class="toolbar">
        <Segments
          label="State"
          value={status}
          choices={STATES}
          onChange={(value) => set({ status: value === 'pending' ? '' : value })}
        />
        <Select
          label="Offer"
          value={offerId}
          choices={[
            { value: '', label: 'All offers' },
            ...known.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) => set({ offer: id })}
        />
      </div>
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <div class="card">
        {news.are && (
          <div class="waiting">
            <Button small tone="primary" onClick={news.show}>
              New claims
            </Button>
          </div>
        )}
        <ClaimTable
          pages={pages}
          empty={
            <Empty icon="claim" title={status === 'pending' ? 'Nothing waits' : 'No claims'}>
              <p>What members claim appears here, as it happens.</p>
            </Empty>
          }
        />
      </div>
    </View>
  );
}

/** Rows do not move while one looks: new ones wait, and what is settled stays where it was. */
function useNews({ rows, reload, patch }: Pages<Claim>) {
  const [are, setThere] = useState(false);
  const show = (): void => {
    setThere(false);
    reload();
  };
  useArrivals(
    ({ type }) => /^(offer\.claimed|claim\.\w+)$/.test(type),
    (group, hasGap) => {
      for (const { type, data } of group) {
        if (!type.startsWith('claim.')) continue;
        const status = type === 'claim.rejected' ? 'rejected' : 'done';
        const { claimId } = data as { claimId?: number };
        patch((row) => (row.claimId === claimId ? { ...row, status } : row));
      }
      if (!hasGap && group.every(({ type }) => type !== 'offer.claimed')) return;
      if (rows?.length === 0) show();
      else setThere(true);
    },
  );
  return { are, show };
}
