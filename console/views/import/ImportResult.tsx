import { addresses } from '../../addresses.ts';
import { continueImport, type ImportRun, isUnderWay, stopImport } from '../../state/imports.ts';
import { useRealm } from '../../state/realm.ts';
import { writeCsv } from '../../text/csv.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { type ReadRow, rowsAsFile } from '../../text/import.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { saveCsv } from '../../ui/files.ts';
import { Meter } from '../../ui/Meter.tsx';
import { ProblemNote } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { cellsOf, FileRows } from './FileRows.tsx';

/** A row that was not enrolled, or of which it is not known. */
interface Left extends ReadRow {
  reason: string;
}

const refusedRows = ({ file, refused }: ImportRun): Left[] =>
  file.rows.flatMap((row): Left[] => {
    const reason = row.fault ?? refused.get(row.line);
    return reason ? [{ ...row, reason }] : [];
  });

const unsentRows = ({ good, answered, inDoubt }: ImportRun): Left[] =>
  good.slice(answered).map((row, index) => ({
    ...row,
    reason: index < inDoubt ? 'Sent, but not answered: it may be enrolled.' : 'Not sent.',
  }));

export function ImportResult({ run, onRestart }: { run: ImportRun; onRestart: () => void }) {
  const isOver = !isUnderWay(run);
  return (
    <div class="stack">
      <Progress run={run} />
      {run.error && <ProblemNote error={run.error} />}
      {!isOver && <Running run={run} />}
      {isOver && <Over run={run} onRestart={onRestart} />}
    </div>
  );
}

const TITLES: Record<ImportRun['phase'], string> = {
  running: 'Enrolling…',
  stopping: 'Stopping…',
  stopped: 'Stopped. Enrolled so far',
  done: 'Enrolled',
};

function Progress({ run }: { run: ImportRun }) {
  const { file, good, answered, inDoubt, enrolled, before } = run;
  const refused = file.rows.length - good.length + run.refused.size;
  const unsent = isUnderWay(run) ? 0 : good.length - answered - inDoubt;
  const facts = [
    `${formatNumber(answered)} of ${plural(good.length, 'row')} done`,
    before > 0 && `${formatNumber(before)} enrolled by an earlier import of the same rows`,
    refused > 0 && `${formatNumber(refused)} refused or left out`,
    inDoubt > 0 && `${formatNumber(inDoubt)} in doubt`,
    unsent > 0 && `${formatNumber(unsent)} not sent`,
  ];
  return (
    <section class="card figure">
      <h3>
        <span role="status">{TITLES[run.phase]}</span>
      </h3>
      <div class="big">{formatNumber(enrolled)}</div>
      <Meter label="Rows done" share={answered / Math.max(1, good.length)} />
      <p class="caption">
        <Text value={file.name} />: {facts.filter(Boolean).join(', ')}
      </p>
      {before > 0 && (
        <p class="caption">
          Rows without an id that an earlier import has enrolled are not enrolled again, not even
          after they were removed.
        </p>
      )}
      {inDoubt > 0 && (
        <p class="caption">
          The last {plural(inDoubt, 'row')} may be enrolled: the answer did not come. Continue sends
          them again, and enrols nobody twice.
        </p>
      )}
    </section>
  );
}

function Running({ run }: { run: ImportRun }) {
  const { api } = useRealm();
  return (
    <div class="row wrap">
      <Button disabled={run.phase === 'stopping'} onClick={() => stopImport(api.id)}>
        Stop
      </Button>
      <span class="caption">
        It goes on while you look at other views, but not in a closed tab.
      </span>
    </div>
  );
}

function Over({ run, onRestart }: { run: ImportRun; onRestart: () => void }) {
  const { api } = useRealm();
  const { name, headers } = run.file;
  const refused = refusedRows(run);
  const unsent = unsentRows(run);
  const save = (as: string, rows: Left[]): void =>
    saveCsv(`${as}-${name}`, [writeCsv(rowsAsFile(headers, rows))]);
  return (
    <>
      <div class="row wrap">
        {run.phase === 'stopped' && (
          <Button tone="primary" onClick={() => continueImport(api.id)}>
            Continue
          </Button>
        )}
        <LinkButton
          href={addresses.members(api.id)}
          {...(run.phase === 'done' ? { tone: 'primary' as const } : {})}
        >
          Show the members
        </LinkButton>
        <Button onClick={onRestart}>Import another file</Button>
        {refused.length > 0 && (
          <Button icon="export" onClick={() => save('refused', refused)}>
            Download what was refused
          </Button>
        )}
        {unsent.length > 0 && (
          <Button icon="export" onClick={() => save('not-sent', unsent)}>
            Download what was not sent
          </Button>
        )}
      </div>
      {refused.length > 0 && <NotEnrolled title="Refused rows" rows={refused} />}
      {unsent.length > 0 && <NotEnrolled title="Rows not sent" rows={unsent} />}
    </>
  );
}

function NotEnrolled({ title, rows }: { title: string; rows: Left[] }) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
      </header>
      <FileRows label={title} columns={[ROW]} reason={REASON} rows={rows} />
    </section>
  );
}

const ROW: Column<Left> = { id: 'row', header: 'Row', cell: cellsOf };

const REASON: Column<Left> = {
  id: 'reason',
  header: 'Why',
  cell: ({ reason }) => (
    <span class="reason">
      <Text value={reason} />
    </span>
  ),
};
