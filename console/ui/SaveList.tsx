import { listFile } from '../text/csv.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from './Button.tsx';
import { saveCsv } from './files.ts';

interface SaveProps<Name extends string> {
  name: string;
  /** Those that are loaded, and the fields of them that the file has. */
  rows: readonly { readonly [N in Name]?: unknown }[] | undefined;
  columns: readonly Name[];
}

/** Saves the rows of a list that are shown as a CSV file. */
export function SaveList<Name extends string>({ name, rows = [], columns }: SaveProps<Name>) {
  if (rows.length === 0) return null;
  const save = (): void => saveCsv(`${name}.csv`, [listFile(columns, rows)]);
  return (
    <div class="save-list">
      <Button small tone="quiet" icon="export" onClick={save}>
        Export the {formatNumber(rows.length)} shown
      </Button>
    </div>
  );
}
