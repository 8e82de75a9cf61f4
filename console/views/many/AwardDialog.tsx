import type { Member } from '@realmkeep/client';
import { useMemo, useState } from 'preact/hooks';
import { awarding } from '../../api/many-members.ts';
import { type Recognised, recognise } from '../../api/recognise.ts';
import { learnNames } from '../../state/names.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber, plural, shortId } from '../../text/format.ts';
import { MOST_PASTED, readPasted } from '../../text/recognise.ts';
import { amountOf } from '../../text/sentence.ts';
import { Button } from '../../ui/Button.tsx';
import { Select, TextAreaField, useForm } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { Text } from '../../ui/Text.tsx';
import { useUnmountSignal } from '../../ui/unmount.ts';
import { AmountField, DescriptionField } from '../member/amounts.tsx';
import { ManyDialog } from './ManyDialog.tsx';

interface AwardProps {
  onChanged: () => void;
  onClose: () => void;
}

/** Who was pasted gets points: first it is shown who that is. */
export function AwardDialog(props: AwardProps) {
  const [found, setFound] = useState<Recognised[] | null>(null);
  const [typed, setTyped] = useState('');
  return found === null ? (
    <PasteDialog typed={typed} onType={setTyped} onFound={setFound} onClose={props.onClose} />
  ) : (
    <GiveDialog found={found} onBack={() => setFound(null)} {...props} />
  );
}

interface PasteProps {
  typed: string;
  onType: (text: string) => void;
  onFound: (found: Recognised[]) => void;
  onClose: () => void;
}

const HINT =
  'Names, ids, Discord mentions or wallets, in lines or between commas; ' +
  `an amount may stand beside each. Up to ${formatNumber(MOST_PASTED)}.`;

function PasteDialog({ typed, onType, onFound, onClose }: PasteProps) {
  const { api } = useRealm();
  const [done, setDone] = useState(0);
  const signal = useUnmountSignal();
  const list = useMemo(() => readPasted(typed), [typed]);
  const look = async (): Promise<void> => {
    const found = await recognise(api, list, signal, setDone);
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
        onInput={onType}
        autoFocus
        hint={HINT}
      />
    </FormDialog>
  );
}

interface GiveProps extends AwardProps {
  found: Recognised[];
  onBack: () => void;
}

function GiveDialog({ found, onBack, ...rest }: GiveProps) {
  const { api } = useRealm();
  const kind = useKind();
  const { typed, field } = useForm({ tokens: '', description: '' });
  /** Who is meant where several could be, by the place in the list. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const hasAmounts = found.some(({ tokens }) => tokens !== null);
  const tokens = parseAmount(typed.tokens);
  const meant = meantBy(found, chosen);
  const awards = once(meant).map(({ member, tokens: own }) => ({
    id: member.id,
    name: nameOf(member),
    tokens: hasAmounts ? (own ?? 0) : (tokens ?? 0),
  }));
  const sum = awards.reduce((all, award) => all + BigInt(award.tokens), 0n);
  const left = found.length - meant.length;
  const again = meant.length - awards.length;
  const isReady = hasAmounts ? awards.every((award) => award.tokens !== 0) : tokens !== null;
  return (
    <ManyDialog
      title="Award a list"
      action="Award them"
      wide
      canSubmit={isReady}
      targets={awards}
      sending={() => awarding(api, { kind, description: typed.description.trim() })}
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
            {again > 0 && (
              <div>{plural(again, 'entry', 'entries')} left out, of members named before.</div>
            )}
          </>
        )
      }
      {...rest}
    >
      <Recognition
        found={found}
        chosen={chosen}
        onBack={onBack}
        onChoose={(place, id) => setChosen(new Map([...chosen, [place, id]]))}
      />
      <KindSelect />
      {!hasAmounts && <AmountField kind={kind} hint="For each of them." {...field('tokens')} />}
      <DescriptionField {...field('description')} />
    </ManyDialog>
  );
}

/** Whom the entries mean, as far as that is clear. */
const meantBy = (found: readonly Recognised[], chosen: ReadonlyMap<number, string>) =>
  found.flatMap(({ members, tokens }, place) => {
    const member =
      members.length === 1 ? members[0] : members.find(({ id }) => id === chosen.get(place));
    return member ? [{ member, tokens }] : [];
  });

/** Each member once, however often the list has it. */
function once(meant: ReturnType<typeof meantBy>) {
  const seen = new Set<string>();
  return meant.filter(({ member: { id } }) => !seen.has(id) && seen.add(id));
}

interface RecognitionProps {
  found: readonly Recognised[];
  chosen: ReadonlyMap<number, string>;
  onBack: () => void;
  onChoose: (place: number, id: string) => void;
}

const described = (member: Member): string => {
  const handle = member.username && member.username !== member.displayName;
  return `${nameOf(member)}${handle ? ` @${member.username}` : ''} · ${shortId(member.id)}`;
};

/** Who was recognised, those who need a choice and those who are unknown first. */
function Recognition({ found, chosen, onBack, onChoose }: RecognitionProps) {
  const count = (is: (members: Member[]) => boolean): number =>
    found.filter(({ members }) => is(members)).length;
  const known = count(({ length }) => length === 1);
  const unclear = count(({ length }) => length > 1);
  const unknown = count(({ length }) => length === 0);
  const rows = found
    .map((one, place) => ({ ...one, place }))
    .toSorted((a, b) => weight(a.members) - weight(b.members) || a.place - b.place);
  return (
    <section class="recognition" aria-label="Who was recognised">
      <div class="row spread">
        <p role="status">
          <b>{formatNumber(known)}</b> recognised
          {unclear > 0 && `, ${formatNumber(unclear)} to choose`}
          {unknown > 0 && `, ${formatNumber(unknown)} unknown`}
        </p>
        <Button small onClick={onBack}>
          Change the list
        </Button>
      </div>
      <ul>
        {rows.map(({ text, tokens, members, place }) => (
          <li key={place} class={members.length === 0 ? 'unknown' : ''}>
            <Icon name={members.length === 1 ? 'check' : 'alert'} />
            <Text class="ellipsis" value={text} />
            <span class="whom ellipsis">
              {members.length === 1 && <Text value={described(members[0] as Member)} />}
              {members.length === 0 && 'nobody is called so'}
              {members.length > 1 && (
                <Select
                  label={`Who is ${text}`}
                  value={chosen.get(place) ?? ''}
                  choices={[
                    { value: '', label: 'Leave out' },
                    ...members.map((member) => ({ value: member.id, label: described(member) })),
                  ]}
                  onChange={(id) => onChoose(place, id)}
                />
              )}
            </span>
            {tokens !== null && <span class="end">{formatNumber(tokens)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const weight = ({ length }: readonly Member[]): number => (length > 1 ? 0 : length === 0 ? 1 : 2);
