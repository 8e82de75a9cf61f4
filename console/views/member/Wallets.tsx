import type { Member, Wallet } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useAnswer } from '../../state/answers.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Id, Time } from '../../ui/Values.tsx';
import { Holdings } from './Holdings.tsx';
import { LinkDialog, ProveDialog, UnlinkDialog } from './WalletDialogs.tsx';

interface WalletsProps {
  member: Member;
  changes: number;
  onChanged: () => void;
}

type Open = { dialog: 'link' } | { dialog: 'prove'; address: string } | UnlinkOpen;
type UnlinkOpen = { dialog: 'unlink'; wallet: Wallet };

export function Wallets({ member, changes, onChanged }: WalletsProps) {
  const { api, realm } = useRealm();
  const { value, error, reload } = useAnswer(
    `web3 ${api.id} ${member.id}`,
    (signal) => api.member(member.id).web3({ signal }),
    changes,
  );
  const [open, setOpen] = useState<Open | null>(null);
  const canEdit = mayChange(realm);
  const prove = (address: string): void => setOpen({ dialog: 'prove', address });
  const props = { member, onChanged, onClose: () => setOpen(null) };
  return (
    <div class="stack">
      {error && <ProblemNote error={error} retry={reload} />}
      <div class="flush">
        <Table
          label="Wallets"
          columns={columns(
            canEdit ? { prove, unlink: (wallet) => setOpen({ dialog: 'unlink', wallet }) } : null,
          )}
          rows={value?.wallets}
          rowKey={({ address }) => address}
          empty={
            <Empty icon="wallet" title="No wallets">
              <p>A wallet is linked on your word, or proved by the member with a signature.</p>
            </Empty>
          }
        />
      </div>
      {canEdit && (
        <div>
          <Button icon="plus" onClick={() => setOpen({ dialog: 'link' })}>
            Link a wallet
          </Button>
        </div>
      )}
      {value && value.assets.length > 0 && <Holdings assets={value.assets} />}
      {open?.dialog === 'link' && <LinkDialog {...props} onProve={prove} />}
      {open?.dialog === 'prove' && <ProveDialog {...props} address={open.address} />}
      {open?.dialog === 'unlink' && <UnlinkDialog {...props} wallet={open.wallet} />}
    </div>
  );
}

const CHAINS: Record<string, string> = {
  eip155: 'Ethereum (EVM)',
  solana: 'Solana',
  bitcoin: 'Bitcoin',
};

interface Actions {
  prove: (address: string) => void;
  unlink: (wallet: Wallet) => void;
}

const columns = (actions: Actions | null): Column<Wallet>[] => [
  {
    id: 'address',
    header: 'Address',
    cell: ({ address, chain, primary }) => (
      <div class="two-lines">
        <Id value={address} keep={6} always />
        <span class="caption ellipsis">
          {CHAINS[chain] ?? chain}
          {primary && ' · primary'}
        </span>
      </div>
    ),
  },
  {
    id: 'proof',
    header: 'Proof',
    width: 136,
    cell: ({ address, verified, verifiedAt }) => {
      if (verified) {
        return <span class="badge in">Proved {verifiedAt && <Time at={verifiedAt} />}</span>;
      }
      if (!actions) return <span class="muted">Not proved</span>;
      return (
        <Button small onClick={() => actions.prove(address)}>
          Prove
        </Button>
      );
    },
  },
  {
    id: 'actions',
    header: '',
    width: 44,
    cell: (wallet) =>
      actions && (
        <Button
          small
          tone="quiet"
          icon="close"
          label="Unlink"
          onClick={() => actions.unlink(wallet)}
        />
      ),
  },
];
