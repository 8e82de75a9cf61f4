import { useEffect, useMemo, useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { View } from '../../frame/View.tsx';
import { useChange } from '../../state/changes.ts';
import {
  dismissImport,
  type ImportFile,
  imports,
  showImport,
  startImport,
} from '../../state/imports.ts';
import { useRealm } from '../../state/realm.ts';
import { readCsv } from '../../text/csv.ts';
import { plural } from '../../text/format.ts';
import {
  guessTargets,
  hasMeaning,
  readRows,
  repeatedTarget,
  type Target,
} from '../../text/import.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { DropZone } from '../../ui/DropZone.tsx';
import { readFile, type TextFile } from '../../ui/files.ts';
import { hasFocus, returnFocus } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Empty } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { ImportResult } from './ImportResult.tsx';
import { Mapping, Preview } from './Preview.tsx';

/** Drop a list, say what its columns mean, look, and enrol everybody in it. */
export function Import() {
  const { realm } = useRealm();
  const [file, setFile] = useState<TextFile | null>(null);
  const run = imports.value[realm.id];
  const restart = (): void => {
    dismissImport(realm.id);
    setFile(null);
  };
  useEffect(() => showImport(realm.id), [realm.id]);
  // The button of each step is gone with it.
  useChange(Number(file !== null) + Number(run !== undefined), () => {
    if (hasFocus(null)) returnFocus(null);
  });
  return (
    <View title="Import members">
      <div class="content">
        {run && <ImportResult run={run} onRestart={restart} />}
        {!run && !file && <Choose onFile={setFile} />}
        {!run && file && <Chosen file={file} onRestart={restart} />}
      </div>
    </View>
  );
}

function Choose({ onFile }: { onFile: (file: TextFile) => void }) {
  return (
    <DropZone class="drop" onFile={onFile}>
      <Icon name="import" />
      <h2>Drop a CSV file here</h2>
      <p>
        The first line names the columns: id, name, handle, wallet, points. Each further line is a
        member.
      </p>
      <label class="button">
        Choose a file
        <input
          type="file"
          class="visually-hidden"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen) void readFile(chosen, onFile);
          }}
        />
      </label>
    </DropZone>
  );
}

interface ChosenProps {
  file: TextFile;
  onRestart: () => void;
}

function Chosen({ file, onRestart }: ChosenProps) {
  const { kinds } = useRealm();
  const { headers, records } = useMemo(() => {
    const [first, ...rest] = readCsv(file.text);
    return { headers: first?.fields.map((name) => name.trim()) ?? [], records: rest };
  }, [file]);
  const [targets, setTargets] = useState(() => guessTargets(headers, kinds));
  const rows = useMemo(() => readRows(records, targets, kinds), [records, targets, kinds]);
  if (rows.length === 0) {
    return (
      <Empty icon="import" title="There are no rows in this file">
        <p>The first line has to name the columns, and each further line is a member.</p>
        <Button onClick={onRestart}>Choose another file</Button>
      </Empty>
    );
  }
  const { name, encoding } = file;
  const canStart = hasMeaning(targets) && repeatedTarget(targets) === null;
  return (
    <>
      <div class="stack tight">
        <Ready file={{ name, headers, rows }} canStart={canStart} />
        <Notes file={{ name, headers, rows }} encoding={encoding} targets={targets} />
      </div>
      <Mapping headers={headers} targets={targets} onChange={setTargets} />
      <Preview headers={headers} targets={targets} rows={rows} />
    </>
  );
}

function Ready({ file, canStart }: { file: ImportFile; canStart: boolean }) {
  const { api } = useRealm();
  const { name, rows } = file;
  const bad = rows.filter(({ fault }) => fault !== null).length;
  const good = rows.length - bad;
  return (
    <div class="toolbar">
      <h2>
        <Text value={name} />: {plural(rows.length, 'row')}
      </h2>
      {bad > 0 && <span class="badge out">{plural(bad, 'row')} with faults, left out</span>}
      <div class="row push">
        <LinkButton href={addresses.members(api.id)}>Cancel</LinkButton>
        <Button
          tone="primary"
          disabled={good === 0 || !canStart}
          onClick={() => startImport(api.id, file)}
        >
          Enrol {plural(good, 'member')}
        </Button>
      </div>
    </div>
  );
}

interface NotesProps {
  file: ImportFile;
  encoding: TextFile['encoding'];
  targets: Target[];
}

/** What one should know before. */
function Notes({ file, encoding, targets }: NotesProps) {
  const repeated = repeatedTarget(targets);
  const columns = file.headers.filter((_, index) => targets[index] === repeated);
  const unnumbered = file.rows.filter(({ fault, member }) => !fault && member.id === undefined);
  return (
    <>
      {!hasMeaning(targets) && (
        <p class="problem" role="alert">
          <Icon name="alert" />
          <span>
            Choose what the columns mean. Is the first line a header? It has to name the columns,
            and is not imported itself.
          </span>
        </p>
      )}
      {repeated !== null && (
        <p class="problem" role="alert">
          <Icon name="alert" />
          <span>
            <Text value={columns.join(', ')} /> have the same meaning. Leave out all but one.
          </span>
        </p>
      )}
      {encoding === 'Windows-1252' && (
        <p class="caption">
          The file is not UTF-8, and was read as Windows-1252. If names look wrong below, save it as
          “CSV UTF-8”.
        </p>
      )}
      {hasMeaning(targets) && unnumbered.length > 0 && (
        <p class="caption">
          {plural(unnumbered.length, 'row')} without an id: the service assigns one. This file can
          be imported again without harm, but a changed one may enrol them twice.
        </p>
      )}
    </>
  );
}
