import type { Member } from '@realmkeep/client';
import type { Recognised } from '../../api/recognise.ts';
import { formatNumber, shortId } from '../../text/format.ts';
import { Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { Text } from '../../ui/Text.tsx';

interface RecognitionProps {
  found: readonly Recognised[];
  chosen: ReadonlyMap<number, string>;
  onChoose: (place: number, id: string) => void;
}

const described = (member: Member): string => {
  const handle = member.username && member.username !== member.displayName;
  return `${nameOf(member)}${handle ? ` @${member.username}` : ''} · ${shortId(member.id)}`;
};

/** Who was recognised, those who need a choice and those who are unknown first. */
export function Recognition({ found, chosen, onChoose }: RecognitionProps) {
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
      <p role="status">
        <b>{formatNumber(known)}</b> recognised
        {unclear > 0 && `, ${formatNumber(unclear)} to choose`}
        {unknown > 0 && `, ${formatNumber(unknown)} unknown`}
      </p>
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
