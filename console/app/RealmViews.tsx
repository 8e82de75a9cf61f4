import type { Realm } from '@realmkeep/client';
import type { FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';
import { Route, Router } from 'preact-iso';
import { isRealmGone } from '../api/faults.ts';
import { service } from '../api/service.ts';
import { Frame } from '../frame/Frame.tsx';
import { NotFound } from '../frame/NotFound.tsx';
import { restorePlace } from '../frame/place.ts';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { useAttention } from '../state/attention.ts';
import { useChange } from '../state/changes.ts';
import { useErasures } from '../state/erasures.ts';
import { useFreshNames } from '../state/fresh-names.ts';
import { useArrivals } from '../state/live.ts';
import { useFreshOffers } from '../state/offers.ts';
import { mayChange, type OpenRealm, RealmContext } from '../state/realm.ts';
import { archiving, deleting } from '../state/realm-end.ts';
import { may } from '../state/session.ts';
import { NO_EDITS } from '../state/settings-form.ts';
import { toast } from '../state/toasts.ts';
import { keepUnsaved } from '../state/unsaved.ts';
import { useLive } from '../state/use-live.ts';
import { ProblemNote, Skeleton } from '../ui/States.tsx';
import { Activity } from '../views/activity/Activity.tsx';
import { Leaderboard } from '../views/leaderboard/Leaderboard.tsx';
import { Members } from '../views/members/Members.tsx';
import { Overview } from '../views/overview/Overview.tsx';
import { useLater } from '../views/use-later.ts';
import { later } from './later.tsx';
import { Palette, ServicePalette } from './Palette.tsx';

const LATER = {
  Claims: later('Claims'),
  Discord: later('Discord'),
  Import: later('Import'),
  Integrity: later('Integrity'),
  Keys: later('Keys'),
  Offers: later('Offers'),
  People: later('People'),
  Points: later('Points'),
  Settings: later('Settings'),
  WalletCheck: later('WalletCheck'),
  Webhooks: later('Webhooks'),
};

/** Everything about one realm. */
export function RealmViews({ realm: id }: { realm: string }) {
  const api = useMemo(() => service.realm(id), [id]);
  const { value, error, reload } = useAnswer(`realm ${id}`, async () => {
    const [realm, kinds] = await Promise.all([api.get(), api.kinds()]);
    // The default kind comes first, as in balances.
    const ordered = kinds.items.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
    return { realm, kinds: ordered };
  });
  useLive(api);
  useArrivals(({ type }) => /^(realm|point)\./.test(type), reload);
  useFreshNames(api);
  useFreshOffers(api);
  useErasures(api);
  useAttention(api);
  const isGone = isRealmGone(error) && deleting.value !== id;
  const open = useMemo((): OpenRealm | null => {
    // What was kept of a realm that is deleted is not shown.
    if (!value || isGone) return null;
    const defaultKind = value.kinds.find(({ isDefault }) => isDefault);
    return defaultKind ? { api, ...value, defaultKind, reload } : null;
  }, [api, value, isGone, reload]);
  return (
    <Frame realm={open?.realm}>
      {open ? (
        // By its key, so that no view carries what it shows or edits over to another realm.
        <RealmContext.Provider key={id} value={open}>
          <Views realm={open.realm} />
          <Palette />
        </RealmContext.Provider>
      ) : (
        <View title={isGone ? 'Not found' : ''} class="content">
          {error ? <ProblemNote error={error} retry={reload} /> : <Skeleton width={240} />}
          <ServicePalette />
        </View>
      )}
    </Frame>
  );
}

/** Dialogs and what was typed in them are gone then: it is said why. */
function useArchivalNotice({ id, name, archivedAt }: Realm): void {
  useChange(archivedAt, () => {
    const isElsewhere = archivedAt !== null && archiving.value !== id;
    if (isElsewhere) toast({ text: `${name} was archived: it can only be read now.` });
    archiving.value = null;
    if (archivedAt !== null) keepUnsaved(id, NO_EDITS);
  });
}

/** A view that the service would refuse is not there, not even by its address. */
function Views({ realm }: { realm: Realm }) {
  useArchivalNotice(realm);
  useLater();
  const ofAdmins = (view: FunctionComponent<{ webhook?: string }>) =>
    may('admin') ? view : NotFound;
  return (
    <Router onRouteChange={restorePlace}>
      <Route path="/" component={Overview} />
      <Route path="/members/:member?" component={Members} />
      <Route path="/import" component={mayChange(realm) ? LATER.Import : NotFound} />
      <Route path="/activity/:seq?" component={Activity} />
      <Route path="/offers/:offer?" component={LATER.Offers} />
      <Route path="/claims" component={LATER.Claims} />
      <Route path="/leaderboard" component={Leaderboard} />
      <Route path="/wallets" component={LATER.WalletCheck} />
      <Route path="/points" component={LATER.Points} />
      <Route path="/people" component={LATER.People} />
      <Route path="/keys" component={ofAdmins(LATER.Keys)} />
      <Route path="/discord" component={LATER.Discord} />
      <Route path="/webhooks/:webhook?" component={ofAdmins(LATER.Webhooks)} />
      <Route path="/integrity" component={ofAdmins(LATER.Integrity)} />
      <Route path="/settings" component={LATER.Settings} />
      <Route default component={NotFound} />
    </Router>
  );
}
