import { formatNumber } from '../../text/format.ts';
import { type Column, Table } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';

interface FileRow {
  line: number;
  cells: string[];
}

interface FileRowsProps<Row> {
  label: string;
  columns: Column<Row>[];
  /** What is wrong with a row: the last column or, on a phone, below what the row has. */
  reason: Column<Row>;
  rows: Row[];
  /** Then those that are shown are not the first of the file. */
  areFaultsFirst?: boolean;
}

/** Few enough to be in the page as a whole, so that their reasons may take several lines. */
const SHOWN = 100;

/** The first rows of a file, with their lines. */
export function FileRows<Row extends FileRow>({
  label,
  columns,
  reason,
  rows,
  areFaultsFirst = false,
}: FileRowsProps<Row>) {
  const wide = [...columns, reason].map((column) => ({ ...column, from: 'medium' as const }));
  return (
    <>
      <Table
        label={label}
        columns={[lineColumn, phoneColumn(reason), ...wide]}
        rows={rows.slice(0, SHOWN)}
        rowKey={({ line }) => line}
        empty={null}
      />
      {rows.length > SHOWN && (
        <p class="caption after-table">
          {areFaultsFirst ? '' : 'The first '}
          {formatNumber(SHOWN)} of {formatNumber(rows.length)} rows
          {areFaultsFirst ? ', those with faults first' : ''}.
        </p>
      )}
    </>
  );
}

export const cellsOf = ({ cells }: FileRow) => (
  <Text value={cells.filter((cell) => cell !== '').join(', ')} />
);

const lineColumn: Column<FileRow> = {
  id: 'line',
  header: 'Line',
  width: 80,
  isNumber: true,
  cell: ({ line }) => formatNumber(line),
};

const phoneColumn = <Row extends FileRow>(reason: Column<Row>): Column<Row> => ({
  id: 'phone',
  header: 'Row',
  isForPhones: true,
  cell: (row) => (
    <div class="two-lines">
      <span class="ellipsis">{cellsOf(row)}</span>
      {reason.cell(row)}
    </div>
  ),
});
