import { addresses } from '../../addresses.ts';
import { useRealm } from '../../state/realm.ts';
import { writeCsv } from '../../text/csv.ts';
import { formatNumber, plural } from '../../text/format.ts';
import type { ReadRow } from '../../text/import.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/files.ts';
import { ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import type { ImportState } from './run.ts';

interface ResultProps {
  file: { name: string; headers: string[] };
  rows: ReadRow[];
  state: ImportState;
  onStop: () => void;
  onRestart: () => void;
}

interface Refused {
  row: ReadRow;
  reason: string;
}

export function ImportResult({ file, rows, state, onStop, onRestart }: ResultProps) {
  const { api } = useRealm();
  const refused = rows.flatMap((row): Refused[] => {
    const reason = row.fault ?? state.refused.get(row.line);
    return reason ? [{ row, reason }] : [];
  });
  const download = (): void => {
    const lines = refused.map(({ row, reason }) => [...row.cells, reason]);
    saveFile(`refused-${file.name}`, writeCsv([[...file.headers, 'problem'], ...lines]));
  };
  return (
    <div class="stack">
      <section class="card figure" role="status">
        <h3>{state.isOver ? 'Enrolled' : 'Enrolling…'}</h3>
        <div class="big">{formatNumber(state.enrolled)}</div>
        <div class="meter">
          <div style={{ width: `${(100 * state.done) / Math.max(1, state.total)}%` }} />
        </div>
        <p class="caption">
          {formatNumber(state.done)} of {plural(state.total, 'row')} sent
          {refused.length > 0 && `, ${formatNumber(refused.length)} refused or left out`}
        </p>
      </section>
      {state.error && <ProblemNote error={state.error} />}
      <div class="row wrap">
        {!state.isOver && <Button onClick={onStop}>Stop</Button>}
        {state.isOver && (
          <LinkButton tone="primary" href={addresses.members(api.id)}>
            Show the members
          </LinkButton>
        )}
        {state.isOver && <Button onClick={onRestart}>Import another file</Button>}
        {state.isOver && refused.length > 0 && (
          <Button icon="export" onClick={download}>
            Download what was refused
          </Button>
        )}
      </div>
      {state.isOver && refused.length > 0 && (
        <section class="card">
          <Table
            label="Refused rows"
            columns={columns}
            rows={refused.slice(0, 500)}
            rowKey={({ row }) => row.line}
            empty={null}
          />
        </section>
      )}
    </div>
  );
}

const columns: Column<Refused>[] = [
  {
    id: 'line',
    header: 'Line',
    width: 80,
    isNumber: true,
    cell: ({ row }) => formatNumber(row.line),
  },
  { id: 'reason', header: 'Why', cell: ({ reason }) => <span title={reason}>{reason}</span> },
];
