import type { WalletCheck as Checked, RealmHandle } from '@realmkeep/client';
import { useMemo, useState } from 'preact/hooks';
import { checkWallets } from '../api/wallet-owners.ts';
import { View } from '../frame/View.tsx';
import { useRealm } from '../state/realm.ts';
import { guarded, writeCsv } from '../text/csv.ts';
import { formatNumber, plural, shortId } from '../text/format.ts';
import { isWallet } from '../text/shapes.ts';
import { visibleText } from '../text/visible.ts';
import { walletsIn } from '../text/wallets.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Counterparty } from '../ui/Counterparty.tsx';
import { DropZone } from '../ui/DropZone.tsx';
import { TextAreaField } from '../ui/Field.tsx';
import { saveCsv, type TextFile } from '../ui/files.ts';
import { ProblemNote } from '../ui/States.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { Text } from '../ui/Text.tsx';
import { useUnmountSignal } from '../ui/unmount.ts';

type Result = Checked['results'][number];

export function WalletCheck() {
  const { api } = useRealm();
  const [text, setText] = useState('');
  const { wallets, repeated, tooLong } = useMemo(() => walletsIn(text), [text]);
  const { results, error, done, check } = useCheck(api);
  const add = (file: TextFile): void =>
    setText((before) => (before.trim() === '' ? file.text : `${before.trimEnd()}\n${file.text}`));
  return (
    <View title="Wallet check" class="content">
      <DropZone onFile={add}>
        <Card title="Whose are they?" note="A list of wallets, and who of them are members.">
          <TextAreaField
            label="Wallets"
            name="wallets"
            class="mono"
            rows={7}
            placeholder="0x52908400098527886E0F7030069857D2E4169EE7"
            value={text}
            onInput={setText}
            hint="Paste addresses or drop a file, one per line or separated by commas."
          />
          <div class="row wrap">
            <Button
              tone="primary"
              disabled={wallets.length === 0 || done !== null}
              onClick={() => void check(wallets)}
            >
              Check {wallets.length > 0 ? plural(wallets.length, 'wallet') : 'wallets'}
            </Button>
            <span class="caption" role="status">
              {done !== null && `${formatNumber(done)} checked so far…`}
            </span>
            {repeated > 0 && (
              <span class="caption">{formatNumber(repeated)} repeated, counted once.</span>
            )}
            {tooLong > 0 && (
              <span class="caption">{plural(tooLong, 'word')} too long for an address.</span>
            )}
          </div>
        </Card>
      </DropZone>
      {error && <ProblemNote error={error} />}
      {results && <Results results={results} />}
    </View>
  );
}

/** Checks a list in as many calls as it takes. The last results stay until the next are there. */
function useCheck(api: RealmHandle) {
  const [results, setResults] = useState<Result[]>();
  const [error, setError] = useState<Error>();
  /** How many are checked while a check is under way. */
  const [done, setDone] = useState<number | null>(null);
  const signal = useUnmountSignal();
  const check = async (wallets: string[]): Promise<void> => {
    setError(undefined);
    setDone(0);
    try {
      setResults(await checkWallets(api, wallets, signal, setDone));
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error);
    } finally {
      setDone(null);
    }
  };
  return { results, error, done, check };
}

function Results({ results }: { results: Result[] }) {
  const inside = results.filter(({ included }) => included).length;
  const download = (): void => {
    const rows = results.map(({ wallet, included, memberId, verified }) => [
      guarded(wallet),
      included ? 'yes' : 'no',
      memberId ?? '',
      verified ? 'yes' : 'no',
      isWallet(wallet) ? 'yes' : 'no',
    ]);
    const header = ['wallet', 'included', 'memberId', 'proved', 'validAddress'];
    saveCsv('wallets.csv', [writeCsv([header, ...rows])]);
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
        rowKey={({ wallet }) => wallet}
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
      <span class="mono" title={visibleText(wallet)}>
        <Text value={shortId(wallet, 10)} />
      </span>
    ),
  },
  {
    id: 'included',
    header: 'Member',
    width: 200,
    cell: ({ wallet, included, memberId }) =>
      included && memberId ? (
        <Counterparty id={memberId} />
      ) : (
        <span class="muted">{isWallet(wallet) ? 'Nobody' : 'Not an address'}</span>
      ),
  },
  {
    id: 'verified',
    header: 'Proof',
    width: 136,
    from: 'medium',
    cell: ({ included, verified }) =>
      included &&
      (verified ? <span class="badge in">Proved</span> : <span class="muted">Not proved</span>),
  },
];
