import type { ImportFile } from '../../state/imports.ts';
import { plural } from '../../text/format.ts';
import {
  hasMeaning,
  IGNORED,
  type NewKind,
  repeatedTarget,
  type Target,
} from '../../text/import-columns.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckField } from '../../ui/Field.tsx';
import type { TextFile } from '../../ui/files.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Text } from '../../ui/Text.tsx';

interface NotesProps {
  file: ImportFile;
  encoding: TextFile['encoding'];
  targets: Target[];
}

/** What one should know before. */
export function Notes({ file, encoding, targets }: NotesProps) {
  const repeated = repeatedTarget(targets);
  const columns = file.headers.filter((_, index) => targets[index] === repeated);
  const unnumbered = file.rows.filter(({ fault, member }) => !fault && member.id === undefined);
  return (
    <>
      {!hasMeaning(targets) && (
        <p class="problem" role="alert">
          <Icon name="alert" />
          <span>
            Choose what the columns mean. Is the first line a header? It has to name the columns,
            and is not imported itself.
          </span>
        </p>
      )}
      {repeated !== null && (
        <p class="problem" role="alert">
          <Icon name="alert" />
          <span>
            <Text value={columns.join(', ')} /> have the same meaning. Leave out all but one.
          </span>
        </p>
      )}
      {encoding === 'Windows-1252' && (
        <p class="caption">
          The file is not UTF-8, and was read as Windows-1252. If names look wrong below, save it as
          “CSV UTF-8”.
        </p>
      )}
      {hasMeaning(targets) && unnumbered.length > 0 && (
        <p class="caption">
          {plural(unnumbered.length, 'row')} without an id: the service assigns one. This file can
          be imported again without harm, but a changed one may add them twice.
        </p>
      )}
    </>
  );
}

interface BalanceQuestionProps {
  /** The columns that may be the balance. */
  names: readonly string[];
  isWithout: boolean;
  onChange: (isWithout: boolean) => void;
}

/** Balances are not left out without a word: one has to say so. */
export function BalanceQuestion({ names, isWithout, onChange }: BalanceQuestionProps) {
  return (
    <>
      {!isWithout && (
        <p class="problem" role="alert">
          <Icon name="alert" />
          <span>
            {names.length === 0 && 'No column is a balance. Choose it below, if there is one.'}
            {names.length > 0 && (
              <>
                Which column is the balance, <Text value={names.join(' or ')} />? Choose it below.
              </>
            )}
          </span>
        </p>
      )}
      <CheckField label="Import without balances" checked={isWithout} onChange={onChange} />
    </>
  );
}

interface NewKindOffersProps {
  /** By column. */
  offers: (NewKind | null)[];
  targets: Target[];
  onTake: (index: number, target: Target) => void;
}

/** What is left out although it holds numbers may be points that the realm does not have yet. */
export function NewKindOffers({ offers, targets, onTake }: NewKindOffersProps) {
  const open = offers.flatMap((kind, index) =>
    kind && targets[index] === IGNORED ? [{ kind, index }] : [],
  );
  if (open.length === 0) return null;
  return (
    <div class="row wrap">
      <span class="caption">Columns with numbers:</span>
      {open.map(({ kind, index }) => (
        <Button key={index} small onClick={() => onTake(index, `balances.${kind.id}`)}>
          <span>
            Import <Text value={kind.name} /> as a new point type
          </span>
        </Button>
      ))}
    </div>
  );
}
