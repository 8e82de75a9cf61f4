import type { Kind, Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import { canMove, canSpend } from '../state/allowed.ts';
import { mayChange, useRealm } from '../state/realm.ts';
import { shortId } from '../text/format.ts';
import { amountOf, orderFault, orderHint, parseOrder } from '../text/sentence.ts';
import { useFound } from '../ui/found.ts';
import { nameOf } from '../ui/MemberName.tsx';
import { ChangeDialog } from '../views/member/ChangeDialog.tsx';
import { PaletteBox, usePaletteKey } from './PaletteBox.tsx';
import {
  commandsOfRealm,
  commandsOfService,
  type Option,
  useOtherRealms,
} from './palette-options.ts';

interface Started {
  member: Member;
  kind: Kind;
  isTaking: boolean;
  tokens: number;
}

/** Finds members by anything, jumps to views, opens dialogs, and starts "add 50 to alice". */
export function Palette() {
  const isOpen = usePaletteKey();
  const [started, setStarted] = useState<Started | null>(null);
  return (
    <>
      {isOpen && <RealmBox onStart={setStarted} />}
      {started && (
        <ChangeDialog
          member={started.member}
          kind={started.kind}
          isTaking={started.isTaking}
          initial={started.tokens}
          onChanged={() => {}}
          onClose={() => setStarted(null)}
        />
      )}
    </>
  );
}

/** Where there is no realm, it jumps to one. */
export const ServicePalette = () => usePaletteKey() && <ServiceBox />;

function ServiceBox() {
  const [typed, setTyped] = useState('');
  const { route } = useLocation();
  const { realms, areKnown } = useOtherRealms(typed, null, route);
  return (
    <PaletteBox
      typed={typed}
      onType={setTyped}
      placeholder="A view, a realm, or something to do"
      options={[...commandsOfService(typed, route), ...realms]}
      isCurrent={areKnown}
    />
  );
}

function RealmBox({ onStart }: { onStart: (started: Started) => void }) {
  const { realm, kinds } = useRealm();
  const [typed, setTyped] = useState('');
  const { options, isCurrent } = useOptions(typed, onStart);
  const canOrder = mayChange(realm);
  const sample = canOrder ? ', or “add 50 to alice”' : '';
  return (
    <PaletteBox
      typed={typed}
      onType={setTyped}
      placeholder={`A member, a view${sample}`}
      options={options}
      isCurrent={isCurrent}
      hint={canOrder ? (orderFault(typed, kinds) ?? (isCurrent ? orderHint(typed) : null)) : null}
    />
  );
}

function useOptions(
  typed: string,
  onStart: (started: Started) => void,
): { options: Option[]; isCurrent: boolean } {
  const { realm, kinds } = useRealm();
  const { route } = useLocation();
  const order = mayChange(realm) ? parseOrder(typed, kinds) : null;
  const { members, isCurrent } = useFound(order?.who ?? typed);
  const { realms, areKnown } = useOtherRealms(typed, realm.id, route);
  const optionOf = (member: Member) => ({
    id: member.id,
    note: shortId(member.id),
    isFormer: !isCurrent,
  });
  if (order) {
    const { kind, tokens } = order;
    const said = amountOf(tokens, kind);
    const isTaking = order.action === 'take';
    const isAllowed = isTaking ? canSpend : canMove;
    const options = members.map((member) => ({
      ...optionOf(member),
      ...(isAllowed(member, kind) ? {} : { isClosed: true, note: whyNot(member, kind) }),
      icon: isTaking ? ('minus' as const) : ('plus' as const),
      label: isTaking ? `Take ${said} from ${nameOf(member)}` : `Add ${said} to ${nameOf(member)}`,
      select: () => onStart({ member, kind, isTaking, tokens }),
    }));
    return { options, isCurrent };
  }
  const found = members.map((member) => ({
    ...optionOf(member),
    icon: 'person' as const,
    label: nameOf(member),
    select: () => route(addresses.member(realm.id, member.id)),
  }));
  const isTyped = typed.trim() !== '';
  // Members come last: the others are there at once, and nothing moves when members are found.
  const options = [...commandsOfRealm(typed, realm, route), ...(isTyped ? realms : []), ...found];
  return { options, isCurrent: isCurrent && areKnown };
}

function whyNot({ status }: Member, { archived, name }: Kind): string {
  if (archived) return `${name} is archived`;
  return status === 'frozen' ? 'frozen' : 'nothing to take';
}
