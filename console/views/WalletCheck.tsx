import type { WalletCheck as Checked } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { Frame } from '../frame/Frame.tsx';
import { useRealm } from '../state/realm.ts';
import { writeCsv } from '../text/csv.ts';
import { formatNumber, plural, shortId } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Counterparty } from '../ui/Counterparty.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { TextAreaField } from '../ui/Field.tsx';
import { saveFile } from '../ui/files.ts';
import { ProblemNote } from '../ui/States.tsx';
import { type Column, Table } from '../ui/Table.tsx';

type Result = Checked['results'][number];

const MOST = 10_000;

/** Everything that could be an address: lists come with commas, quotes, tabs and line breaks. */
const walletsIn = (text: string): string[] =>
  text.split(/[\s,;"']+/).filter((word) => word !== '' && word.length <= 128);

export function WalletCheck() {
  const { api, realm } = useRealm();
  const [text, setText] = useState('');
  const [results, setResults] = useState<Result[]>();
  const [error, setError] = useState<Error>();
  const wallets = walletsIn(text);
  const check = async (): Promise<void> => {
    setError(undefined);
    try {
      setResults((await api.includes(wallets.slice(0, MOST))).results);
    } catch (failure) {
      setError(failure as Error);
    }
  };
  return (
    <Frame title="Wallet check" realm={realm}>
      <div class="content">
        <DropZone onText={setText}>
          <div class="stack">
            <TextAreaField
              label="Wallets"
              name="wallets"
              class="mono"
              rows={7}
              value={text}
              onInput={setText}
              hint="Paste addresses or drop a file, one per line or separated by commas."
            />
            <div class="row wrap">
              <Button tone="primary" disabled={wallets.length === 0} onClick={() => void check()}>
                Check {wallets.length > 0 ? plural(wallets.length, 'wallet') : 'wallets'}
              </Button>
              {wallets.length > MOST && (
                <span class="caption">Only the first {formatNumber(MOST)} are checked.</span>
              )}
            </div>
          </div>
        </DropZone>
        {error && <ProblemNote error={error} />}
        {results && <Results results={results} />}
      </div>
    </Frame>
  );
}

function Results({ results }: { results: Result[] }) {
  const inside = results.filter(({ included }) => included).length;
  const download = (): void => {
    const rows = results.map(({ wallet, included, memberId, verified }) => [
      wallet,
      included ? 'yes' : 'no',
      memberId,
      verified ? 'yes' : 'no',
    ]);
    saveFile('wallets.csv', writeCsv([['wallet', 'included', 'memberId', 'proved'], ...rows]));
  };
  return (
    <div class="card sticky-head">
      <header>
        <h2>
          {formatNumber(inside)} of {plural(results.length, 'wallet')} belong to members
        </h2>
        <div class="push">
          <Button icon="export" onClick={download}>
            Download
          </Button>
        </div>
      </header>
      <Table
        label="Wallets"
        columns={columns}
        rows={results}
        rowKey={({ wallet }) => `${wallet} ${results.length}`}
        empty={null}
      />
    </div>
  );
}

const columns: Column<Result>[] = [
  {
    id: 'wallet',
    header: 'Wallet',
    cell: ({ wallet }) => (
      <span class="mono" title={wallet}>
        {shortId(wallet, 10)}
      </span>
    ),
  },
  {
    id: 'included',
    header: 'Member',
    width: 200,
    cell: ({ included, memberId }) =>
      included && memberId ? <Counterparty id={memberId} /> : <span class="muted">Nobody</span>,
  },
  {
    id: 'verified',
    header: 'Proof',
    width: 136,
    from: 'medium',
    cell: ({ included, verified }) =>
      included &&
      (verified ? <span class="badge in">Proved</span> : <span class="muted">On your word</span>),
  },
];
