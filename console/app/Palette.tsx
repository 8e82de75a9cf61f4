import type { Member } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import { DAILY, SETTING_UP } from '../frame/navigation.ts';
import { closePalette, isPaletteOpen, openPalette } from '../frame/palette-state.ts';
import { canMove, canSpend } from '../state/allowed.ts';
import { mayChange, useRealm } from '../state/realm.ts';
import { may } from '../state/session.ts';
import { shortId } from '../text/format.ts';
import type { IconName } from '../text/icons.ts';
import { amountOf, orderFault, parseOrder } from '../text/sentence.ts';
import { useFound } from '../ui/found.ts';
import { Icon } from '../ui/Icon.tsx';
import { type Listed, useListbox } from '../ui/listbox.ts';
import { nameOf } from '../ui/MemberName.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Options } from '../ui/Options.tsx';
import { Text } from '../ui/Text.tsx';
import { ChangeDialog } from '../views/member/ChangeDialog.tsx';

interface Option extends Listed {
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
    return () => {
      removeEventListener('keydown', onKey);
      closePalette();
    };
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
  const { options, isCurrent } = useOptions(typed, onStart);
  const list = useListbox(options, isCurrent, (option) => {
    closePalette();
    option.select();
  });
  return (
    <Modal label="Search or jump to" class="palette" isDismissible onClose={closePalette}>
      <input
        {...list.box}
        class="input"
        aria-label="Search or jump to"
        placeholder="A member, a view, or “add 50 to alice”"
        value={typed}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          list.restart();
        }}
      />
      {options.length > 0 ? (
        <Options label="Results" list={list}>
          {({ icon, label, note }) => (
            <>
              <Icon name={icon} />
              <span class="ellipsis">
                <Text value={label} />
              </span>
              {note && <span class="muted mono push note">{note}</span>}
            </>
          )}
        </Options>
      ) : (
        <p class="palette-empty muted" role="status">
          {orderFault(typed) ?? (isCurrent ? 'Nothing found.' : 'Searching…')}
        </p>
      )}
    </Modal>
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
    const isAllowed = isTaking ? canSpend : canMove;
    const options = members.map((member) => ({
      ...optionOf(member),
      ...(isAllowed(member, defaultKind) ? {} : { isClosed: true, note: whyNot(member) }),
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

const whyNot = ({ status }: Member): string => (status === 'frozen' ? 'frozen' : 'nothing to take');

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
