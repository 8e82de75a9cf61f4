import { useRealm } from '../../state/realm.ts';
import type { ReadRow } from '../../text/import.ts';
import {
  columnName,
  IGNORED,
  leftOut,
  type NewKind,
  type Target,
  targetChoices,
} from '../../text/import-columns.ts';
import { visibleText } from '../../text/visible.ts';
import { SelectField } from '../../ui/Field.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Middle } from '../../ui/Values.tsx';
import { FileRows } from './FileRows.tsx';

interface MappingProps {
  headers: string[];
  /** What columns may become that the realm does not have yet. */
  offers: (NewKind | null)[];
  targets: Target[];
  onChange: (targets: Target[]) => void;
}

/** What each column means. */
export function Mapping({ headers, offers, targets, onChange }: MappingProps) {
  const { kinds } = useRealm();
  return (
    <section class="card mapping" aria-label="Columns">
      {headers.map((header, index) => (
        <SelectField
          key={`${index} ${header}`}
          label={columnName(headers, index)}
          name={`column-${index}`}
          value={targets[index] ?? IGNORED}
          choices={targetChoices(header, kinds, offers[index])}
          onChange={(target) => onChange(targets.with(index, target))}
        />
      ))}
    </section>
  );
}

/** It may be wider than the screen: with the focus on it, arrows scroll it. */
const SCROLLED = { tabIndex: 0, 'aria-label': 'Preview' };

interface PreviewProps {
  headers: string[];
  targets: Target[];
  rows: ReadRow[];
}

/** Rows with faults first: they are what one looks for. */
export function Preview({ headers, targets, rows }: PreviewProps) {
  const sorted = rows.toSorted((a, b) => Number(b.fault !== null) - Number(a.fault !== null));
  return (
    <>
      <LeftOut names={leftOut(headers, targets, rows)} />
      <section class="card scroll-x" {...SCROLLED}>
        <FileRows
          label="Preview"
          columns={columns(headers, targets)}
          reason={FAULT}
          rows={sorted}
          areFaultsFirst={sorted[0]?.fault !== null}
        />
      </section>
    </>
  );
}

function LeftOut({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <p class="caption">
      <Text value={names.join(', ')} /> {names.length === 1 ? 'is' : 'are'} not imported.
    </p>
  );
}

const columns = (headers: string[], targets: Target[]): Column<ReadRow>[] =>
  headers.map((_, index) => ({
    id: `cell ${index}`,
    header: columnName(headers, index),
    cell: ({ cells }) => <Cell value={cells[index] ?? ''} target={targets[index] ?? IGNORED} />,
  }));

function Cell({ value, target }: { value: string; target: Target }) {
  if (target === 'id') return <Middle value={visibleText(value)} />;
  return (
    <span class={target === IGNORED ? 'muted' : ''}>
      <Text value={value} />
    </span>
  );
}

const FAULT: Column<ReadRow> = {
  id: 'fault',
  header: 'Fault',
  width: 320,
  cell: ({ fault }) => fault && <Text class="reason fault-cell" value={fault} />,
};
