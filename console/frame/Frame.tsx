import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import { answeredAt, isReachable } from '../api/service.ts';
import { attentionIn } from '../state/attention.ts';
import { checks } from '../state/checks.ts';
import { arrived } from '../state/live.ts';
import { may, session, sessionName, signOut } from '../state/session.ts';
import { switchTheme, theme } from '../state/theme.ts';
import type { IconName } from '../text/icons.ts';
import { visibleText } from '../text/visible.ts';
import { BrandMark } from '../ui/Brand.tsx';
import { Icon } from '../ui/Icon.tsx';
import { RealmMark } from '../ui/Marks.tsx';
import { Menu, type MenuItem } from '../ui/Menu.tsx';
import { Text } from '../ui/Text.tsx';
import { Time } from '../ui/Values.tsx';
import { DAILY, type Destination, isCurrent, SETTING_UP } from './navigation.ts';
import { openPalette } from './palette-state.ts';
import { viewTitle } from './View.tsx';

interface FrameProps {
  realm?: { id: string; name: string; archivedAt: string | null } | undefined;
  children: ComponentChildren;
}

/** What stays while views change: where one is, and where one can go. */
export function Frame({ realm, children }: FrameProps) {
  const title = viewTitle.value;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const name = realm ? visibleText(realm.name) : 'Realmkeep';
    document.title = title ? `${title} · ${name}` : name;
  }, [title, realm]);
  useFocusInView(main);
  return (
    <div class={isReachable.value ? 'frame' : 'frame offline'}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Side realm={realm} />
      <div>
        {!isReachable.value && <Offline />}
        <header class="bar">
          <div class="where">
            {realm && <Text class="caption ellipsis on-phones" value={realm.name} />}
            <h1 aria-live="polite">{title}</h1>
          </div>
          {realm && realm.archivedAt !== null && <span class="badge held">Archived</span>}
          <button type="button" class="row jump" title="Search or jump to…" onClick={openPalette}>
            <Icon name="search" />
            <span>Search or jump to…</span>
            <kbd>{/Mac|iPhone/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
        </header>
        <main id="content" tabIndex={-1} ref={main}>
          {children}
        </main>
      </div>
      <Bottom realm={realm} />
    </div>
  );
}

/** The address that was shown last; none at first. */
let lastPath: string | null = null;

/** If the link that was followed is gone with the former view, reading goes on in the new one. */
function useFocusInView(main: { current: HTMLElement | null }): void {
  const { path } = useLocation();
  useEffect(() => {
    const hasMoved = lastPath !== null && lastPath !== path;
    lastPath = path;
    if (hasMoved && document.activeElement === document.body) {
      main.current?.focus({ preventScroll: true });
    }
  }, [path, main]);
}

function Offline() {
  return (
    <div class="row notice" role="status">
      <Icon name="alert" />
      <span>
        The service cannot be reached. You see its last answer (
        <Time at={new Date(answeredAt.value).toISOString()} />
        ); it reconnects by itself.
      </span>
    </div>
  );
}

function Side({ realm }: { realm: FrameProps['realm'] }) {
  return (
    <nav class="side" aria-label="Main">
      <a class="nav-link realm-switch" href="/" title={realm ? visibleText(realm.name) : 'Realms'}>
        {realm ? <RealmMark realm={realm} /> : <BrandMark />}
        <Text class="ellipsis" value={realm?.name ?? 'Realmkeep'} />
        {realm && session.value?.isRoot && <Icon name="down" />}
      </a>
      {realm ? <Links realm={realm.id} views={DAILY} /> : <ServiceLinks />}
      {realm && <hr />}
      {realm && <Links realm={realm.id} views={SETTING_UP} />}
      <div class="foot">
        <button
          type="button"
          class="nav-link"
          title={THEME_NAMES[theme.value]}
          onClick={switchTheme}
        >
          <Icon name={theme.value} />
          <span>{THEME_NAMES[theme.value]}</span>
        </button>
        <Menu label="Your session" class="nav-link" side="up start" items={SESSION_ITEMS}>
          <Icon name="person" />
          <Text class="ellipsis" value={sessionName()} />
        </Menu>
      </div>
    </nav>
  );
}

const THEME_NAMES = { system: 'Theme: System', light: 'Theme: Light', dark: 'Theme: Dark' };

const SIGN_OUT: MenuItem = { label: 'Sign out', icon: 'leave', onSelect: () => void signOut() };
const SESSION_ITEMS: MenuItem[] = [
  { label: 'Sessions', icon: 'system', href: '/sessions' },
  SIGN_OUT,
];

function Links({ realm, views }: { realm: string; views: Destination[] }) {
  const { path } = useLocation();
  return (
    <>
      {views
        .filter(({ scope }) => may(scope))
        .map((view) => (
          <NavLink
            key={view.name}
            name={view.name}
            icon={view.icon}
            href={view.href(realm)}
            isCurrent={isCurrent(view, realm, path)}
          >
            {view.name === 'Overview' && <Attention realm={realm} />}
            {view.name === 'Activity' && <LiveDot />}
            {view.name === 'Integrity' && <LastCheck realm={realm} />}
          </NavLink>
        ))}
    </>
  );
}

/** Where one can go from what belongs to no realm. */
function ServiceLinks() {
  const { path } = useLocation();
  const realmId = session.value?.realmId;
  const links: { name: string; icon: IconName; href: string }[] = [
    realmId
      ? { name: 'Overview', icon: 'overview', href: addresses.overview(realmId) }
      : { name: 'Realms', icon: 'realms', href: addresses.realms },
    ...(session.value?.isRoot
      ? [{ name: 'People', icon: 'person' as const, href: addresses.owners }]
      : []),
    { name: 'Sessions', icon: 'system', href: '/sessions' },
  ];
  return (
    <>
      {links.map((link) => (
        <NavLink key={link.name} {...link} isCurrent={link.href === path} />
      ))}
    </>
  );
}

interface NavLinkProps {
  name: string;
  icon: IconName;
  href: string;
  isCurrent: boolean;
  children?: ComponentChildren;
}

function NavLink({ name, icon, href, isCurrent: isHere, children }: NavLinkProps) {
  const current = isHere ? { 'aria-current': 'page' as const } : {};
  return (
    <a class="nav-link" href={href} title={name} {...current}>
      <Icon name={icon} />
      <span>{name}</span>
      {children}
    </a>
  );
}

/** How much needs attention. */
function Attention({ realm }: { realm: string }) {
  const count = attentionIn(realm)?.length ?? 0;
  if (count === 0) return null;
  return (
    <span class="count push" title={`${count} to look at`}>
      {count}
      <span class="visually-hidden"> to look at</span>
    </span>
  );
}

/** Pulses once when something arrives. */
function LiveDot() {
  const last = arrived.value.at(-1)?.seq ?? 0;
  const look = [!isReachable.value && 'away', last > 0 && 'pulse'].filter(Boolean).join(' ');
  return <i key={last} class={`dot ${look}`} />;
}

/** Whether everything added up when it was last checked. */
function LastCheck({ realm }: { realm: string }) {
  const last = checks.value[realm];
  if (!last || last instanceof Error || !last.result) return null;
  const { ok } = last.result;
  const said = ok ? 'Everything added up' : 'Something did not add up';
  return (
    <span class="push" title={said}>
      <Icon name={ok ? 'check' : 'alert'} class={ok ? 'tone-in' : 'tone-out'} />
      <span class="visually-hidden">({said})</span>
    </span>
  );
}

/** On a phone: the daily views, and a menu with the rest. */
function Bottom({ realm }: { realm: FrameProps['realm'] }) {
  const { path } = useLocation();
  return (
    <nav class="bottom" aria-label="Main">
      {realm === undefined ? (
        <ServiceLinks />
      ) : (
        <Links realm={realm.id} views={DAILY.slice(0, ON_PHONE)} />
      )}
      <Menu
        label="More"
        heading={realm?.name}
        class="nav-link"
        side="up"
        items={moreItems(realm?.id, path)}
      >
        <Icon name="more" />
        <span>More</span>
      </Menu>
    </nav>
  );
}

const ON_PHONE = 4;

function moreItems(realm: string | undefined, path: string): (MenuItem | null)[] {
  const ofTheme = { label: THEME_NAMES[theme.value], icon: theme.value, onSelect: switchTheme };
  if (realm === undefined) return [ofTheme, SIGN_OUT];
  const views = [...DAILY.slice(ON_PHONE), ...SETTING_UP].filter(({ scope }) => may(scope));
  return [
    ...views.map((view) => ({
      label: view.name,
      icon: view.icon,
      href: view.href(realm),
      isCurrent: isCurrent(view, realm, path),
    })),
    null,
    ofTheme,
    ...(session.value?.isRoot
      ? [{ label: 'Realms', icon: 'realms' as const, href: addresses.realms }]
      : []),
    ...SESSION_ITEMS,
  ];
}
