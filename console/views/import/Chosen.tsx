import { useMemo, useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { checkWallets } from '../../api/wallet-owners.ts';
import { useAnswer } from '../../state/answers.ts';
import { type ImportFile, startImport } from '../../state/imports.ts';
import { events } from '../../state/live.ts';
import { kindOf, mayChange, useRealm } from '../../state/realm.ts';
import { readCsv } from '../../text/csv.ts';
import { fingerprintOf } from '../../text/fingerprint.ts';
import { plural } from '../../text/format.ts';
import { type ReadRow, readRows } from '../../text/import.ts';
import {
  guessTargets,
  hasMeaning,
  hasOpenings,
  newKindOf,
  openQuestion,
  repeatedTarget,
} from '../../text/import-columns.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { CheckField } from '../../ui/Field.tsx';
import type { TextFile } from '../../ui/files.ts';
import { Empty } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { BalanceQuestion, NewKindOffers, Notes } from './Notes.tsx';
import { Mapping, Preview } from './Preview.tsx';

interface ChosenProps {
  file: TextFile;
  onRestart: () => void;
}

export function Chosen({ file, onRestart }: ChosenProps) {
  const { kinds } = useRealm();
  const { headers, records, offers } = useLines(file);
  const [targets, setTargets] = useState(() => guessTargets(headers, kinds));
  const [isWithout, setWithout] = useState(false);
  const [opensPresent, setOpensPresent] = useState(false);
  const added = offers.flatMap((kind, index) =>
    kind && targets[index] === `balances.${kind.id}` ? [kind] : [],
  );
  const all = [...kinds, ...added.map((kind) => ({ ...kindOf([], kind.id), ...kind }))];
  const read = useMemo(() => readRows(records, targets, all), [records, targets, kinds]);
  const rows = useTakenWallets(read);
  if (read.length === 0) {
    return (
      <Empty icon="import" title="There are no rows in this file">
        <p>The first line has to name the columns, and each further line is a member.</p>
        <Button onClick={onRestart}>Choose another file</Button>
      </Empty>
    );
  }
  const question = openQuestion(headers, targets, kinds);
  const isClear = hasMeaning(targets) && repeatedTarget(targets) === null;
  const { name, encoding } = file;
  const chosen = { name, headers, rows: read, kinds: added, opensPresent };
  return (
    <>
      <div class="stack tight">
        <Ready file={chosen} rows={rows} canStart={isClear && (question === null || isWithout)} />
        <Notes file={chosen} encoding={encoding} targets={targets} />
        {isClear && question !== null && (
          <BalanceQuestion names={question} isWithout={isWithout} onChange={setWithout} />
        )}
        <NewKindOffers
          offers={offers}
          targets={targets}
          onTake={(index, target) => setTargets(targets.with(index, target))}
        />
        {hasOpenings(targets) && (
          <CheckField
            label="Also give balances to members who are here already"
            hint="Only to those whose points have never moved. Nothing else of them changes."
            checked={opensPresent}
            onChange={setOpensPresent}
          />
        )}
      </div>
      <Mapping headers={headers} offers={offers} targets={targets} onChange={setTargets} />
      <Preview headers={headers} targets={targets} rows={rows} />
    </>
  );
}

/** The lines of a file, and for each column the kind of points that it may become. */
function useLines(file: TextFile) {
  const { realm, kinds } = useRealm();
  const canAdd = mayChange(realm, 'admin');
  return useMemo(() => {
    const [first, ...records] = readCsv(file.text);
    const headers = first?.fields.map((name) => name.trim()) ?? [];
    const rows = records.map(({ fields }) => ({ cells: fields }));
    const offers = headers.map((_, index) =>
      canAdd ? newKindOf(index, headers, rows, kinds) : null,
    );
    return { headers, records, offers };
  }, [file, kinds, canAdd]);
}

interface ReadyProps {
  file: ImportFile;
  /** With what the service would refuse by now. It is sent nonetheless: the service judges. */
  rows: ReadRow[];
  canStart: boolean;
}

function Ready({ file, rows, canStart }: ReadyProps) {
  const { api } = useRealm();
  const bad = rows.filter(({ fault }) => fault !== null).length;
  const good = rows.length - bad;
  return (
    <div class="toolbar">
      <h2>
        <Text value={file.name} />: {plural(rows.length, 'row')}
      </h2>
      {bad > 0 && <span class="badge out">{plural(bad, 'row')} with faults, left out</span>}
      <div class="row push">
        <LinkButton href={addresses.members(api.id)}>Cancel</LinkButton>
        <Button
          tone="primary"
          disabled={good === 0 || !canStart}
          onClick={() => startImport(api.id, file, events.value?.[0]?.seq)}
        >
          Add {plural(good, 'member')}
        </Button>
      </div>
    </div>
  );
}

/** The rows, once the service has told which of their wallets belong to other members. */
function useTakenWallets(rows: ReadRow[]): ReadRow[] {
  const { api } = useRealm();
  const wallets = useMemo(() => rows.flatMap(walletsOf), [rows]);
  const key = useMemo(() => `owners ${api.id} ${fingerprintOf(wallets.join(' '))}`, [wallets]);
  const { value: results } = useAnswer(key, (signal) => checkWallets(api, wallets, signal));
  return useMemo(() => {
    const owners = new Map(results?.map(({ wallet, memberId }) => [wallet, memberId]));
    return rows.map((row) => {
      const fault = faultOf(row, owners);
      return fault === null ? row : { ...row, fault };
    });
  }, [rows, results]);
}

/** The service refuses a row with faults anyway. */
const walletsOf = ({ fault, member }: ReadRow): readonly string[] =>
  fault === null ? (member.wallets ?? []) : [];

function faultOf(row: ReadRow, owners: ReadonlyMap<string, string | null>): string | null {
  for (const wallet of walletsOf(row)) {
    const owner = owners.get(wallet) ?? null;
    if (owner !== null && owner !== row.member.id) {
      return `the wallet ${wallet} belongs to member ${owner} already`;
    }
  }
  return null;
}
