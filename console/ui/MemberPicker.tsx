import type { Member } from '@realmkeep/client';
import { useEffect, useId, useState } from 'preact/hooks';
import { findMembers } from '../api/find-members.ts';
import { useRealm } from '../state/realm.ts';
import { shortId } from '../text/format.ts';
import { Button } from './Button.tsx';
import { TextField } from './Field.tsx';
import { Avatar, nameOf } from './MemberName.tsx';

interface PickerProps {
  label: string;
  name: string;
  picked: Member | null;
  /** A member that cannot be picked. */
  except?: string;
  onPick: (member: Member | null) => void;
}

/** Finds a member by whatever is typed. */
export function MemberPicker({ label, name, picked, except, onPick }: PickerProps) {
  const [typed, setTyped] = useState('');
  const found = useFound(picked ? '' : typed).filter(({ id }) => id !== except);
  const listId = useId();
  if (picked) {
    return (
      <div class="field">
        <span class="label">{label}</span>
        <div class="row picked">
          <Avatar member={picked} />
          <span class="ellipsis">{nameOf(picked)}</span>
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
        onInput={setTyped}
        placeholder="Name, id, account or wallet"
        autoFocus
      />
      {found.length > 0 && (
        <ul class="picks" id={listId} aria-label="Members found">
          {found.map((member) => (
            <li key={member.id}>
              <button type="button" onClick={() => onPick(member)}>
                <Avatar member={member} />
                <span class="ellipsis">{nameOf(member)}</span>
                <span class="mono muted push">{shortId(member.id)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const SHOWN = 5;

/** The first few members that match, as one types. */
export function useFound(typed: string): Member[] {
  const { api } = useRealm();
  const [found, setFound] = useState<Member[]>([]);
  useEffect(() => {
    if (typed.trim() === '') {
      setFound([]);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findMembers(api, typed, { limit: SHOWN + 1, signal: abort.signal }).then(
        ({ items }) => setFound(items.slice(0, SHOWN)),
        // The next letter tries again.
        () => {},
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed, api]);
  return found;
}
