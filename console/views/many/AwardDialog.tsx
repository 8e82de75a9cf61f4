import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { awarding } from '../../api/many-members.ts';
import { type Recognised, recognise } from '../../api/recognise.ts';
import { learnNames } from '../../state/names.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { MOST_PASTED, readPasted } from '../../text/recognise.ts';
import { amountOf } from '../../text/sentence.ts';
import { TextAreaField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { AmountField, DescriptionField } from '../member/amounts.tsx';
import { ManyDialog } from './ManyDialog.tsx';
import { Recognition } from './Recognition.tsx';

interface AwardProps {
  onChanged: () => void;
  onClose: () => void;
}

/** Who was pasted gets points: first it is shown who that is. */
export function AwardDialog(props: AwardProps) {
  const [found, setFound] = useState<Recognised[] | null>(null);
  return found === null ? (
    <PasteDialog onFound={setFound} onClose={props.onClose} />
  ) : (
    <GiveDialog found={found} {...props} />
  );
}

interface PasteProps {
  onFound: (found: Recognised[]) => void;
  onClose: () => void;
}

const HINT =
  'Names, ids, Discord mentions or wallets, in lines or between commas; ' +
  `an amount may stand beside each. Up to ${formatNumber(MOST_PASTED)}.`;

function PasteDialog({ onFound, onClose }: PasteProps) {
  const { api } = useRealm();
  const [typed, setTyped] = useState('');
  const [done, setDone] = useState(0);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const list = useMemo(() => readPasted(typed), [typed]);
  const look = async (): Promise<void> => {
    const found = await recognise(api, list, abort.current.signal, setDone);
    learnNames(
      api.id,
      found.flatMap(({ members }) => members),
    );
    onFound(found);
  };
  return (
    <FormDialog
      title="Award a list"
      action="Look them up"
      wide
      canSubmit={list.length > 0}
      outcome={
        done > 0
          ? `${formatNumber(done)} of ${formatNumber(list.length)} looked up…`
          : list.length > 0 && plural(list.length, 'entry', 'entries')
      }
      onSubmit={look}
      onClose={onClose}
    >
      <TextAreaField
        label="Who"
        name="list"
        rows={10}
        placeholder={'Alice\n@bob\n80351110224678912'}
        value={typed}
        onInput={setTyped}
        autoFocus
        hint={HINT}
      />
    </FormDialog>
  );
}

function GiveDialog({ found, ...rest }: AwardProps & { found: Recognised[] }) {
  const { api } = useRealm();
  const kind = useKind();
  const [typed, setTyped] = useState('');
  const [description, setDescription] = useState('');
  /** Who is meant where several could be, by the place in the list. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const hasAmounts = found.some(({ tokens }) => tokens !== null);
  const tokens = parseAmount(typed);
  const awards = awardsOf(found, chosen).map(({ member, tokens: own }) => ({
    id: member.id,
    name: nameOf(member),
    tokens: hasAmounts ? (own ?? 0) : (tokens ?? 0),
  }));
  const sum = awards.reduce((all, award) => all + BigInt(award.tokens), 0n);
  const left = found.length - awards.length;
  const isReady = hasAmounts ? awards.every((award) => award.tokens !== 0) : tokens !== null;
  return (
    <ManyDialog
      title="Award a list"
      action="Award them"
      wide
      canSubmit={isReady}
      targets={awards}
      sending={() => awarding(api, { kind, description: description.trim() })}
      refusal={awards.length === 0 ? 'Nobody in the list was recognised.' : null}
      outcome={
        isReady && (
          <>
            <div>
              {plural(awards.length, 'member')} {awards.length === 1 ? 'gets' : 'get'}{' '}
              {tokens !== null && !hasAmounts && (
                <>
                  <b>{amountOf(tokens, kind)}</b> each,{' '}
                </>
              )}
              <b>{amountOf(sum, kind)}</b> in all.
            </div>
            {left > 0 && <div>{plural(left, 'entry', 'entries')} left out.</div>}
          </>
        )
      }
      {...rest}
    >
      <Recognition
        found={found}
        chosen={chosen}
        onChoose={(place, id) => setChosen(new Map([...chosen, [place, id]]))}
      />
      <KindSelect />
      {!hasAmounts && (
        <AmountField kind={kind} value={typed} onInput={setTyped} hint="For each of them." />
      )}
      <DescriptionField value={description} onInput={setDescription} />
    </ManyDialog>
  );
}

/** Each member once, however often the list has it. */
function awardsOf(found: readonly Recognised[], chosen: ReadonlyMap<number, string>) {
  const seen = new Set<string>();
  return found.flatMap(({ members, tokens }, place) => {
    const member =
      members.length === 1 ? members[0] : members.find(({ id }) => id === chosen.get(place));
    if (!member || seen.has(member.id)) return [];
    seen.add(member.id);
    return [{ member, tokens, place }];
  });
}
