import type { Holding } from '@realmkeep/client';
import { formatNumber } from '../../text/format.ts';
import { type Column, Table } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';

/** What the member's wallets hold of the tokens that the realm asks about. */
export function Holdings({ assets }: { assets: Holding[] }) {
  return (
    <div class="stack tight flush">
      <h3>On chains</h3>
      <Table
        label="On chains"
        columns={COLUMNS}
        rows={assets}
        rowKey={({ assetId }) => assetId}
        empty={null}
      />
    </div>
  );
}

const COLUMNS: Column<Holding>[] = [
  {
    id: 'asset',
    header: 'Asset',
    cell: ({ assetId, symbol, chain, standard }) => (
      <div class="two-lines">
        <Text class="ellipsis" value={symbol ?? assetId} />
        <span class="caption ellipsis">
          {standard} on {chain}
        </span>
      </div>
    ),
  },
  {
    id: 'balance',
    header: 'Balance',
    isNumber: true,
    width: 168,
    cell: ({ balance, asOf, stale }) => (
      <div class="two-lines">
        <span title="In the smallest unit">
          {balance === null ? <span class="muted">Not read yet</span> : formatNumber(balance)}
        </span>
        {asOf && (
          <span class="caption">
            {stale && 'last known, '}
            <Time at={asOf} />
          </span>
        )}
      </div>
    ),
  },
];
