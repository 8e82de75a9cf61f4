import type { Member } from '@realmkeep/client';
import { useRef, useState } from 'preact/hooks';
import { shortId } from '../text/format.ts';
import { Button } from './Button.tsx';
import { TextField } from './Field.tsx';
import { useFound } from './found.ts';
import { useListbox } from './listbox.ts';
import { Avatar, Name } from './MemberName.tsx';
import { Options } from './Options.tsx';

interface PickerProps {
  label: string;
  name: string;
  picked: Member | null;
  /** A member that cannot be picked. */
  except?: string;
  takesFrozen?: boolean;
  hint?: string;
  /** Whether it is the field that one begins with. */
  autoFocus?: boolean;
  onPick: (member: Member | null) => void;
  /** Called with what is typed while nobody is picked. */
  onType?: (text: string) => void;
}

/** Finds a member by whatever is typed. */
export function MemberPicker({ autoFocus = true, ...props }: PickerProps) {
  const [typed, setTyped] = useState('');
  const wasPicked = useRef(false);
  wasPicked.current ||= props.picked !== null;
  if (props.picked) {
    return <Picked label={props.label} member={props.picked} onClear={() => props.onPick(null)} />;
  }
  const type = (text: string): void => {
    setTyped(text);
    props.onType?.(text);
  };
  const autoFocusNow = autoFocus || wasPicked.current;
  return <Search {...props} autoFocus={autoFocusNow} typed={typed} onType={type} />;
}

interface SearchProps extends PickerProps {
  typed: string;
  onType: (text: string) => void;
}

/** A frozen member is found and, if it cannot be picked, says why. */
function Search({ picked: _, typed, except, takesFrozen, onPick, onType, ...field }: SearchProps) {
  const { members, isCurrent } = useFound(typed, except);
  const options = members.map((member) => ({
    id: member.id,
    member,
    isFormer: !isCurrent,
    isClosed: !takesFrozen && member.status === 'frozen',
  }));
  const list = useListbox(options, isCurrent, ({ member }) => onPick(member));
  return (
    <div class="stack tight">
      <TextField
        {...field}
        value={typed}
        onInput={(text) => {
          onType(text);
          list.restart();
        }}
        placeholder="Name, id, account or wallet"
        box={list.box}
      />
      {options.length > 0 && (
        <div class="picks">
          <Options label="Members found" list={list}>
            {({ member }) => (
              <>
                <Avatar member={member} />
                <span class="ellipsis">
                  <Name member={member} />
                </span>
                {member.status === 'frozen' && <span class="badge accent">Frozen</span>}
                <span class="mono muted push note">{shortId(member.id)}</span>
              </>
            )}
          </Options>
        </div>
      )}
    </div>
  );
}

const focus = (element: HTMLElement | null): void => element?.focus();

/** It takes the focus of the box whose place it takes. */
function Picked(props: { label: string; member: Member; onClear: () => void }) {
  const { label, member, onClear } = props;
  return (
    <div class="field">
      <span class="label">{label}</span>
      <div class="row picked" tabIndex={-1} ref={focus}>
        <Avatar member={member} />
        <span class="ellipsis">
          <Name member={member} />
        </span>
        <span class="mono muted">{shortId(member.id)}</span>
        <span class="push">
          <Button small tone="quiet" icon="close" label="Choose another" onClick={onClear} />
        </span>
      </div>
    </div>
  );
}
