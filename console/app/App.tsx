import { effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import { endings } from '../api/service.ts';
import { Frame } from '../frame/Frame.tsx';
import { NotFound } from '../frame/NotFound.tsx';
import { restorePlace } from '../frame/place.ts';
import { invitation, loseSession, session, start } from '../state/session.ts';
import { Toasts } from '../ui/Toasts.tsx';
import { Accept, Join } from '../views/Join.tsx';
import { Realms } from '../views/Realms.tsx';
import { SignIn } from '../views/SignIn.tsx';
import { Starting } from '../views/Starting.tsx';
import { later } from './later.tsx';
import { ServicePalette } from './Palette.tsx';
import { RealmViews } from './RealmViews.tsx';

effect(() => {
  if (endings.value > 0) untracked(loseSession);
});

export function App() {
  useEffect(() => {
    void start();
  }, []);
  if (session.value === undefined) return <Starting />;
  return (
    <>
      {session.value === null ? (
        <Outside />
      ) : (
        <LocationProvider>
          <Router onRouteChange={restorePlace}>
            <Route path="/" component={Home} />
            <Route path="/join" component={Join} />
            <Route path="/realms/:realm" component={RealmViews} />
            <Route path="/realms/:realm/*" component={RealmViews} />
            <Route path="/*" component={ServiceViews} />
          </Router>
        </LocationProvider>
      )}
      <Toasts />
    </>
  );
}

const [Owners, Sessions] = [later('Owners'), later('Sessions')];

const Outside = () => (invitation.value === null ? <SignIn /> : <Accept code={invitation.value} />);

/** What belongs to no realm. Only the root key and owners may see it all. */
function ServiceViews() {
  return (
    <Frame>
      <Router>
        <Route path="/realms" component={session.value?.isRoot ? Realms : NotFound} />
        <Route path="/people" component={session.value?.isRoot ? Owners : NotFound} />
        <Route path="/sessions" component={Sessions} />
        <Route default component={NotFound} />
      </Router>
      <ServicePalette />
    </Frame>
  );
}

/** A key of a realm has nothing to choose from. */
function Home() {
  const { route } = useLocation();
  const realmId = session.value?.realmId;
  useEffect(() => {
    route(realmId ? addresses.overview(realmId) : addresses.realms, true);
  }, [route, realmId]);
  return null;
}
