import { formatNumber } from '../../text/format.ts';
import { type Column, Table } from '../../ui/Table.tsx';

interface FileRowsProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
}

/** Few enough to be in the page as a whole, so that their reasons may take several lines. */
const SHOWN = 100;

/** The first rows of a file, with their lines. */
export function FileRows<Row extends { line: number }>({
  label,
  columns,
  rows,
}: FileRowsProps<Row>) {
  return (
    <>
      <Table
        label={label}
        columns={[lineColumn, ...columns]}
        rows={rows.slice(0, SHOWN)}
        rowKey={({ line }) => line}
        empty={null}
      />
      {rows.length > SHOWN && (
        <p class="caption after-table">
          The first {formatNumber(SHOWN)} of {formatNumber(rows.length)} rows.
        </p>
      )}
    </>
  );
}

const lineColumn: Column<{ line: number }> = {
  id: 'line',
  header: 'Line',
  width: 80,
  isNumber: true,
  cell: ({ line }) => formatNumber(line),
};
