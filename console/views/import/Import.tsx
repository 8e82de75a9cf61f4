import { useEffect, useState } from 'preact/hooks';
import { View } from '../../frame/View.tsx';
import { useChange } from '../../state/changes.ts';
import { dismissImport, imports, showImport } from '../../state/imports.ts';
import { useRealm } from '../../state/realm.ts';
import { Drawing } from '../../ui/Drawing.tsx';
import { DropZone } from '../../ui/DropZone.tsx';
import { readFile, type TextFile } from '../../ui/files.ts';
import { hasFocus, returnFocus } from '../../ui/focus.ts';
import { Chosen } from './Chosen.tsx';
import { ImportResult } from './ImportResult.tsx';

/** Drop a list, say what its columns mean, look, and add everybody in it. */
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
    <View title="Import members" class="content">
      {run && <ImportResult run={run} onRestart={restart} />}
      {!run && !file && <Choose onFile={setFile} />}
      {!run && file && <Chosen file={file} onRestart={restart} />}
    </View>
  );
}

function Choose({ onFile }: { onFile: (file: TextFile) => void }) {
  return (
    <DropZone class="drop" onFile={onFile}>
      <Drawing of="import" />
      <h2>Drop a CSV file here</h2>
      <p>
        The first line names the columns: id, name, handle, wallet, points, status. Each further
        line is a member.
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
