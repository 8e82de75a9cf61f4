import { useRealm } from '../../state/realm.ts';
import { IGNORED, type ReadRow, type Target, targetChoices } from '../../text/import.ts';
import { SelectField } from '../../ui/Field.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { FileRows } from './FileRows.tsx';

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

/** It may be wider than the screen: with the focus on it, arrows scroll it. */
const SCROLLED = { tabIndex: 0, 'aria-label': 'Preview' };

/** Rows with faults first: they are what one looks for. */
export function Preview({ headers, rows }: { headers: string[]; rows: ReadRow[] }) {
  const sorted = rows.toSorted((a, b) => Number(b.fault !== null) - Number(a.fault !== null));
  return (
    <section class="card scroll-x" {...SCROLLED}>
      <FileRows label="Preview" columns={columns(headers)} reason={FAULT} rows={sorted} />
    </section>
  );
}

const columns = (headers: string[]): Column<ReadRow>[] =>
  headers.map((header, index) => ({
    id: `cell ${index}`,
    header: header || `Column ${index + 1}`,
    cell: ({ cells }) => <Text value={cells[index] ?? ''} />,
  }));

const FAULT: Column<ReadRow> = {
  id: 'fault',
  header: 'Fault',
  width: 320,
  cell: ({ fault }) =>
    fault && (
      <span class="reason fault-cell">
        <Text value={fault} />
      </span>
    ),
};
