import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import {
  continueImport,
  type ImportRun,
  isUnderWay,
  stopImport,
  takeBackImport,
} from '../../state/imports.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { writeCsv } from '../../text/csv.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { type ReadRow, rowsAsFile } from '../../text/import.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { saveCsv } from '../../ui/files.ts';
import { Meter } from '../../ui/Meter.tsx';
import { ProblemNote } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { cellsOf, FileRows } from './FileRows.tsx';

/** A row that was not added, or of which it is not known. */
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
    reason: index < inDoubt ? 'Sent, but not answered: it may be added.' : 'Not sent.',
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
  running: 'Adding…',
  stopping: 'Stopping…',
  stopped: 'Stopped. Added so far',
  done: 'Added',
  undoing: 'Undoing…',
  undone: 'Undone. Removed again',
};

function Progress({ run }: { run: ImportRun }) {
  const { file, good, answered, inDoubt, enrolled, before, made, phase } = run;
  const skipped = file.rows.length - good.length + run.refused.size;
  const unsent = isUnderWay(run) ? 0 : good.length - answered - inDoubt;
  const opened = made.length - enrolled;
  const facts = [
    `${formatNumber(enrolled)} of ${formatNumber(file.rows.length)} added`,
    opened > 0 && `${formatNumber(opened)} here already got balances`,
    before > 0 && `${formatNumber(before)} added by an earlier import of the same rows`,
    skipped > 0 && `${formatNumber(skipped)} skipped`,
    inDoubt > 0 && `${formatNumber(inDoubt)} in doubt`,
    unsent > 0 && `${formatNumber(unsent)} not sent`,
  ];
  const share = phase === 'undoing' ? 1 - run.undone : answered / Math.max(1, good.length);
  return (
    <section class="card figure">
      <h2>
        <span role="status">{TITLES[phase]}</span>
      </h2>
      <div class="big">{formatNumber(enrolled)}</div>
      {phase !== 'undone' && <Meter label="Rows done" share={share} />}
      <p class="caption">
        <Text value={file.name} />: {facts.filter(Boolean).join(', ')}
      </p>
      {phase === 'undone' && (
        <p class="caption">
          Opening balances are reversed, and members that this import added are removed. What it
          created besides, such as point types, stays.
        </p>
      )}
      {before > 0 && (
        <p class="caption">
          Rows without an id that an earlier import has added are not added again, not even after
          they were removed.
        </p>
      )}
      {inDoubt > 0 && (
        <p class="caption">
          The last {plural(inDoubt, 'row')} may be added: the answer did not come. Continue sends
          them again, and adds nobody twice.
        </p>
      )}
    </section>
  );
}

function Running({ run }: { run: ImportRun }) {
  const { api } = useRealm();
  return (
    <div class="row wrap">
      {run.phase !== 'undoing' && (
        <Button disabled={run.phase === 'stopping'} onClick={() => stopImport(api.id)}>
          Stop
        </Button>
      )}
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
        <Undo run={run} />
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
      {refused.length > 0 && <NotAdded title="Refused rows" rows={refused} />}
      {unsent.length > 0 && <NotAdded title="Rows not sent" rows={unsent} />}
    </>
  );
}

/** While the page is open, which remembers what was made, and once it is known what that is. */
function Undo({ run }: { run: ImportRun }) {
  const { api, realm } = useRealm();
  const [isAsking, setAsking] = useState(false);
  const isKnown = run.made.length > 0 && run.inDoubt === 0;
  if (!isKnown || run.phase === 'undone' || !mayChange(realm)) return null;
  const start = async (): Promise<void> => {
    setAsking(false);
    void takeBackImport(api.id);
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>Undo this import</Button>
      {isAsking && (
        <FormDialog
          title="Undo this import?"
          action="Undo the import"
          tone="danger"
          canSubmit
          outcome={
            `${plural(run.enrolled, 'member')} will be removed again, and all opening balances ` +
            'reversed. If any of these points have moved since, nothing is undone.'
          }
          onSubmit={start}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function NotAdded({ title, rows }: { title: string; rows: Left[] }) {
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
  cell: ({ reason }) => <Text class="reason" value={reason} />,
};
