import type { Member } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import { DAILY, SETTING_UP } from '../frame/navigation.ts';
import { closePalette, isPaletteOpen, openPalette } from '../frame/palette-state.ts';
import { useRealm } from '../state/realm.ts';
import { may } from '../state/session.ts';
import { shortId } from '../text/format.ts';
import type { IconName } from '../text/icons.ts';
import { amountOf, parseOrder } from '../text/sentence.ts';
import { Icon } from '../ui/Icon.tsx';
import { nameOf } from '../ui/MemberName.tsx';
import { useFound } from '../ui/MemberPicker.tsx';
import { Modal } from '../ui/Modal.tsx';
import { ChangeDialog } from '../views/member/ChangeDialog.tsx';

interface Option {
  id: string;
  icon: IconName;
  label: string;
  note?: string;
  select: () => void;
}

interface Started {
  member: Member;
  isTaking: boolean;
  tokens: number;
}

/** Finds members by anything, jumps to views, and starts "add 50 to alice". */
export function Palette() {
  const { defaultKind } = useRealm();
  const [started, setStarted] = useState<Started | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      {isPaletteOpen.value && <PaletteDialog onStart={setStarted} />}
      {started && (
        <ChangeDialog
          member={started.member}
          kind={defaultKind}
          isTaking={started.isTaking}
          initial={started.tokens}
          onChanged={() => {}}
          onClose={() => setStarted(null)}
        />
      )}
    </>
  );
}

function PaletteDialog({ onStart }: { onStart: (started: Started) => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const options = useOptions(typed, onStart);
  const current = Math.min(at, options.length - 1);
  const choose = (option: Option | undefined): void => {
    if (!option) return;
    closePalette();
    option.select();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((current + by + options.length) % Math.max(1, options.length));
    else if (event.key === 'Enter') choose(options[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal label="Search or jump to" class="palette" onClose={closePalette}>
      <input
        class="input"
        role="combobox"
        aria-expanded={true}
        aria-controls="palette-options"
        aria-activedescendant={`palette-${current}`}
        aria-label="Search or jump to"
        placeholder="A member, a view, or “add 50 to alice”"
        value={typed}
        spellcheck={false}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options options={options} current={current} onPoint={setAt} onChoose={choose} />
    </Modal>
  );
}

interface OptionsProps {
  options: Option[];
  current: number;
  onPoint: (index: number) => void;
  onChoose: (option: Option) => void;
}

function Options({ options, current, onPoint, onChoose }: OptionsProps) {
  if (options.length === 0) return <p class="palette-empty muted">Nothing found.</p>;
  return (
    <div id="palette-options" class="options" role="listbox" aria-label="Results">
      {options.map((option, index) => (
        <div
          key={option.id}
          id={`palette-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          onPointerMove={() => onPoint(index)}
          onPointerUp={() => onChoose(option)}
        >
          <Icon name={option.icon} />
          <span class="ellipsis">{option.label}</span>
          {option.note && <span class="muted mono push">{option.note}</span>}
        </div>
      ))}
    </div>
  );
}

function useOptions(typed: string, onStart: (started: Started) => void): Option[] {
  const { realm, defaultKind } = useRealm();
  const { route } = useLocation();
  const order = may('write') ? parseOrder(typed) : null;
  const found = useFound(order?.who ?? typed);
  if (order) {
    const said = amountOf(order.tokens, defaultKind);
    return found.map((member) => ({
      id: member.id,
      icon: order.action === 'take' ? 'minus' : 'plus',
      label:
        order.action === 'take'
          ? `Take ${said} from ${nameOf(member)}`
          : `Add ${said} to ${nameOf(member)}`,
      note: shortId(member.id),
      select: () => onStart({ member, isTaking: order.action === 'take', tokens: order.tokens }),
    }));
  }
  const words = typed.trim().toLowerCase();
  const views = [...DAILY, ...SETTING_UP].filter(
    ({ name, scope }) => may(scope) && name.toLowerCase().includes(words),
  );
  return [
    ...found.map((member) => ({
      id: member.id,
      icon: 'person' as const,
      label: nameOf(member),
      note: shortId(member.id),
      select: () => route(addresses.member(realm.id, member.id)),
    })),
    ...views.map(({ name, icon, href }) => ({
      id: name,
      icon,
      label: name,
      select: () => route(href(realm.id)),
    })),
  ];
}
