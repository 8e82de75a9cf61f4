import type { Holding, Member, Wallet } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { may } from '../../state/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Id, Time } from '../../ui/Values.tsx';
import { LinkDialog, UnlinkDialog } from './WalletDialogs.tsx';

interface WalletsProps {
  member: Member;
  changes: number;
  onChanged: () => void;
}

export function Wallets({ member, changes, onChanged }: WalletsProps) {
  const { api } = useRealm();
  const { value, error, reload } = useAnswer(
    `web3 ${api.id} ${member.id}`,
    (signal) => api.member(member.id).web3({ signal }),
    changes,
  );
  const [isLinking, setLinking] = useState(false);
  const [unlinking, setUnlinking] = useState<Wallet | null>(null);
  const link = may('write') && (
    <Button icon="plus" onClick={() => setLinking(true)}>
      Link a wallet
    </Button>
  );
  return (
    <div class="stack">
      {error && <ProblemNote error={error} retry={reload} />}
      <div class="flush">
        <Table
          label="Wallets"
          columns={columns(setUnlinking)}
          rows={value?.wallets}
          rowKey={({ address }) => address}
          empty={
            <Empty icon="wallet" title="No wallets">
              <p>A wallet is linked on your word, or proved by the member with a signature.</p>
            </Empty>
          }
        />
      </div>
      <div>{link}</div>
      {value && value.assets.length > 0 && <Holdings assets={value.assets} />}
      {isLinking && (
        <LinkDialog member={member} onChanged={onChanged} onClose={() => setLinking(false)} />
      )}
      {unlinking && (
        <UnlinkDialog
          member={member}
          wallet={unlinking}
          onChanged={onChanged}
          onClose={() => setUnlinking(null)}
        />
      )}
    </div>
  );
}

const CHAINS: Record<string, string> = {
  eip155: 'Ethereum (EVM)',
  solana: 'Solana',
  bitcoin: 'Bitcoin',
};

const columns = (onUnlink: (wallet: Wallet) => void): Column<Wallet>[] => [
  {
    id: 'address',
    header: 'Address',
    cell: ({ address, chain, primary }) => (
      <div class="two-lines">
        <span class="row">
          <Id value={address} keep={8} always />
          {primary && <span class="badge">Primary</span>}
        </span>
        <span class="caption ellipsis">{CHAINS[chain] ?? chain}</span>
      </div>
    ),
  },
  {
    id: 'proof',
    header: 'Proof',
    width: 136,
    cell: ({ verified, verifiedAt }) =>
      verified ? (
        <span class="badge in">Proved {verifiedAt && <Time at={verifiedAt} />}</span>
      ) : (
        <span class="muted">On your word</span>
      ),
  },
  {
    id: 'actions',
    header: '',
    width: 44,
    cell: (wallet) =>
      may('write') && (
        <Button small tone="quiet" icon="close" label="Unlink" onClick={() => onUnlink(wallet)} />
      ),
  },
];

function Holdings({ assets }: { assets: Holding[] }) {
  return (
    <div class="stack tight">
      <h3>On chains</h3>
      <dl class="facts">
        {assets.map(({ assetId, symbol, chain, balance, stale }) => (
          <>
            <dt>
              <Text value={symbol ?? assetId} /> <span class="mono">{chain}</span>
            </dt>
            <dd class="number">
              {balance ?? 'not read yet'}
              {stale && balance !== null && <span class="muted"> (last known)</span>}
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}
