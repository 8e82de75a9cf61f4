import type { Member } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import { DAILY, SETTING_UP } from '../frame/navigation.ts';
import { closePalette, isPaletteOpen, openPalette } from '../frame/palette-state.ts';
import { mayChange, useRealm } from '../state/realm.ts';
import { may } from '../state/session.ts';
import { shortId } from '../text/format.ts';
import type { IconName } from '../text/icons.ts';
import { amountOf, orderFault, parseOrder } from '../text/sentence.ts';
import { useFound } from '../ui/found.ts';
import { Icon } from '../ui/Icon.tsx';
import { nameOf } from '../ui/MemberName.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Text } from '../ui/Text.tsx';
import { ChangeDialog } from '../views/member/ChangeDialog.tsx';

interface Option {
  id: string;
  icon: IconName;
  label: string;
  note?: string;
  /** Found by what was typed before; the answer to what is typed now is on its way. */
  isFormer?: boolean;
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
  const [isEntered, setEntered] = useState(false);
  const { options, isCurrent } = useOptions(typed, onStart);
  const current = Math.min(at, options.length - 1);
  const choose = (option: Option | undefined): void => {
    if (!option) return;
    closePalette();
    option.select();
  };
  // Whoever types faster than members are found means those that will be found.
  const enter = (): void => {
    const option = options[current];
    if (isCurrent || (option && !option.isFormer)) choose(option);
    setEntered(!isCurrent);
  };
  useEffect(() => {
    if (isEntered && isCurrent) enter();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((current + by + options.length) % Math.max(1, options.length));
    else if (event.key === 'Enter') enter();
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
        {...(current >= 0 ? { 'aria-activedescendant': `palette-${current}` } : {})}
        aria-label="Search or jump to"
        placeholder="A member, a view, or “add 50 to alice”"
        value={typed}
        spellcheck={false}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
      {options.length > 0 ? (
        <Options options={options} current={current} onPoint={setAt} onChoose={choose} />
      ) : (
        <p class="palette-empty muted">
          {orderFault(typed) ?? (isCurrent ? 'Nothing found.' : 'Searching…')}
        </p>
      )}
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
          <span class="ellipsis">
            <Text value={option.label} />
          </span>
          {option.note && <span class="muted mono push note">{option.note}</span>}
        </div>
      ))}
    </div>
  );
}

function useOptions(
  typed: string,
  onStart: (started: Started) => void,
): { options: Option[]; isCurrent: boolean } {
  const { realm, defaultKind } = useRealm();
  const { route } = useLocation();
  const order = mayChange(realm) ? parseOrder(typed) : null;
  const { members, isCurrent } = useFound(order?.who ?? typed);
  const optionOf = (member: Member) => ({
    id: member.id,
    note: shortId(member.id),
    isFormer: !isCurrent,
  });
  if (order) {
    const said = amountOf(order.tokens, defaultKind);
    const isTaking = order.action === 'take';
    const options = members.map((member) => ({
      ...optionOf(member),
      icon: isTaking ? ('minus' as const) : ('plus' as const),
      label: isTaking ? `Take ${said} from ${nameOf(member)}` : `Add ${said} to ${nameOf(member)}`,
      select: () => onStart({ member, isTaking, tokens: order.tokens }),
    }));
    return { options, isCurrent };
  }
  const found = members.map((member) => ({
    ...optionOf(member),
    icon: 'person' as const,
    label: nameOf(member),
    select: () => route(addresses.member(realm.id, member.id)),
  }));
  // Views come first: they are there at once, and nothing moves when members are found.
  return { options: [...viewOptions(typed, realm.id, route), ...found], isCurrent };
}

function viewOptions(typed: string, realm: string, route: (to: string) => void): Option[] {
  const words = typed.trim().toLowerCase();
  return [...DAILY, ...SETTING_UP]
    .filter(({ name, scope }) => may(scope) && ` ${name.toLowerCase()}`.includes(` ${words}`))
    .map(({ name, icon, href }) => ({
      id: name,
      icon,
      label: name,
      select: () => route(href(realm)),
    }));
}
