import { useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { IGNORED, type ReadRow, type Target, targetChoices } from '../../text/import.ts';
import { visibleText } from '../../text/visible.ts';
import { SelectField } from '../../ui/Field.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';

interface MappingProps {
  headers: string[];
  targets: Target[];
  onChange: (targets: Target[]) => void;
}

/** What each column means. */
export function Mapping({ headers, targets, onChange }: MappingProps) {
  const { kinds } = useRealm();
  return (
    <section class="card mapping" aria-label="Columns">
      {headers.map((header, index) => (
        <SelectField
          key={`${index} ${header}`}
          label={header || `Column ${index + 1}`}
          name={`column-${index}`}
          value={targets[index] ?? IGNORED}
          choices={targetChoices(header, kinds)}
          onChange={(target) => onChange(targets.with(index, target))}
        />
      ))}
    </section>
  );
}

const SHOWN = 100;

/** Rows with faults first: they are what one looks for. */
export function Preview({ headers, rows }: { headers: string[]; rows: ReadRow[] }) {
  const sorted = rows.toSorted((a, b) => Number(b.fault !== null) - Number(a.fault !== null));
  return (
    <section class="card scroll-x">
      <Table
        label="Preview"
        columns={columns(headers)}
        rows={sorted.slice(0, SHOWN)}
        rowKey={({ line }) => line}
        empty={null}
      />
      {rows.length > SHOWN && (
        <p class="caption after-table">
          The first {formatNumber(SHOWN)} of {formatNumber(rows.length)} rows.
        </p>
      )}
    </section>
  );
}

const columns = (headers: string[]): Column<ReadRow>[] => [
  { id: 'line', header: 'Line', width: 72, isNumber: true, cell: ({ line }) => formatNumber(line) },
  ...headers.map((header, index) => ({
    id: `cell ${index}`,
    header: header || `Column ${index + 1}`,
    cell: ({ cells }: ReadRow) => <Text value={cells[index] ?? ''} />,
  })),
  {
    id: 'fault',
    header: 'Fault',
    width: 320,
    cell: ({ fault }) =>
      fault && (
        <span class="fault-cell" title={visibleText(fault)}>
          <Text value={fault} />
        </span>
      ),
  },
];
