import { formatNumber } from '../text/format.ts';
import { Button } from './Button.tsx';
import { saveCsv } from './files.ts';

interface SaveProps<Row> {
  name: string;
  /** Those that are loaded. */
  rows: readonly Row[] | undefined;
  file: (rows: readonly Row[]) => string;
}

/** Saves the rows of a list that are shown as a CSV file. */
export function SaveList<Row>({ name, rows = [], file }: SaveProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <div class="save-list">
      <Button
        small
        tone="quiet"
        icon="export"
        onClick={() => saveCsv(`${name}.csv`, [file(rows)])}
      >
        Export the {formatNumber(rows.length)} shown
      </Button>
    </div>
  );
}
