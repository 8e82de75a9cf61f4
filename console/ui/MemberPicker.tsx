import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { shortId } from '../text/format.ts';
import { Button } from './Button.tsx';
import { TextField } from './Field.tsx';
import { useFound } from './found.ts';
import { Avatar, Name } from './MemberName.tsx';

interface PickerProps {
  label: string;
  name: string;
  picked: Member | null;
  /** A member that cannot be picked. */
  except?: string;
  hint?: string;
  /** Whether it is the field that one begins with. */
  autoFocus?: boolean;
  onPick: (member: Member | null) => void;
  /** Called with what is typed while nobody is picked. */
  onType?: (text: string) => void;
}

/** Finds a member by whatever is typed. */
export function MemberPicker(props: PickerProps) {
  const { label, name, picked, except, hint, autoFocus = true, onPick, onType } = props;
  const [typed, setTyped] = useState('');
  const found = useFound(picked ? '' : typed).members.filter(({ id }) => id !== except);
  if (picked) {
    return (
      <div class="field">
        <span class="label">{label}</span>
        <div class="row picked">
          <Avatar member={picked} />
          <span class="ellipsis">
            <Name member={picked} />
          </span>
          <span class="mono muted">{shortId(picked.id)}</span>
          <span class="push">
            <Button
              small
              tone="quiet"
              icon="close"
              label="Choose another"
              onClick={() => onPick(null)}
            />
          </span>
        </div>
      </div>
    );
  }
  return (
    <div class="stack tight">
      <TextField
        label={label}
        name={name}
        value={typed}
        onInput={(text) => {
          setTyped(text);
          onType?.(text);
        }}
        placeholder="Name, id, account or wallet"
        hint={hint}
        autoFocus={autoFocus}
      />
      {found.length > 0 && (
        <ul class="picks" aria-label="Members found">
          {found.map((member) => (
            <li key={member.id}>
              <button type="button" onClick={() => onPick(member)}>
                <Avatar member={member} />
                <span class="ellipsis">
                  <Name member={member} />
                </span>
                <span class="mono muted push">{shortId(member.id)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
