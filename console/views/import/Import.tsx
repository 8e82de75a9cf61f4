import { useMemo, useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { Frame } from '../../frame/Frame.tsx';
import { useRealm } from '../../state/realm.ts';
import { parseCsv } from '../../text/csv.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { guessTargets, type ReadRow, readRows, type Target } from '../../text/import.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { DropZone } from '../../ui/DropZone.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Empty } from '../../ui/States.tsx';
import { ImportResult } from './ImportResult.tsx';
import { Mapping, Preview } from './Preview.tsx';
import { useImport } from './run.ts';

interface File {
  name: string;
  headers: string[];
  rows: string[][];
}

/** Drop a list, say what its columns mean, look, and enrol everybody in it. */
export function Import() {
  const { realm, kinds } = useRealm();
  const [file, setFile] = useState<File | null>(null);
  const [targets, setTargets] = useState<Target[]>([]);
  const read = (text: string, name: string): void => {
    const [headers = [], ...rows] = parseCsv(text);
    setFile({ name, headers, rows });
    setTargets(guessTargets(headers, kinds));
  };
  const rows = useMemo(() => (file ? readRows(file.rows, targets) : []), [file, targets]);
  return (
    <Frame title="Import members" realm={realm}>
      <div class="content">
        {file === null && <Choose onText={read} />}
        {file !== null && file.rows.length === 0 && (
          <Empty icon="import" title={`There are no rows in ${file.name}`}>
            <p>The first line has to name the columns, and each further line is a member.</p>
            <Button onClick={() => setFile(null)}>Choose another file</Button>
          </Empty>
        )}
        {file !== null && file.rows.length > 0 && (
          <Ready
            file={file}
            rows={rows}
            targets={targets}
            onTargets={setTargets}
            onRestart={() => setFile(null)}
          />
        )}
      </div>
    </Frame>
  );
}

function Choose({ onText }: { onText: (text: string, name: string) => void }) {
  return (
    <DropZone class="drop" onText={onText}>
      <Icon name="import" />
      <h2>Drop a CSV file here</h2>
      <p>
        One member per line, with names of columns in the first: id, name, handle, wallet, points.
      </p>
      <label class="button">
        Choose a file
        <input
          type="file"
          class="visually-hidden"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen) void chosen.text().then((text) => onText(text, chosen.name));
          }}
        />
      </label>
    </DropZone>
  );
}

interface ReadyProps {
  file: File;
  rows: ReadRow[];
  targets: Target[];
  onTargets: (targets: Target[]) => void;
  onRestart: () => void;
}

function Ready({ file, rows, targets, onTargets, onRestart }: ReadyProps) {
  const { api } = useRealm();
  const { state, start, stop } = useImport(api);
  const good = rows.filter(({ fault }) => fault === null);
  const bad = rows.length - good.length;
  if (state) {
    return (
      <ImportResult file={file} rows={rows} state={state} onStop={stop} onRestart={onRestart} />
    );
  }
  return (
    <>
      <div class="toolbar">
        <h2>
          {file.name}: {plural(rows.length, 'row')}
        </h2>
        {bad > 0 && <span class="badge out">{plural(bad, 'row')} with faults, left out</span>}
        <div class="row push">
          <LinkButton href={addresses.members(api.id)}>Cancel</LinkButton>
          <Button
            tone="primary"
            disabled={good.length === 0}
            onClick={() => start(good.map(({ line, member }) => ({ line, member })))}
          >
            Enrol {formatNumber(good.length)}
          </Button>
        </div>
      </div>
      <Mapping headers={file.headers} targets={targets} onChange={onTargets} />
      <Preview headers={file.headers} rows={rows} />
    </>
  );
}
