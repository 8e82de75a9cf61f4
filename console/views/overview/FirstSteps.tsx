import type { RealmSummary } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { serviceNow } from '../../api/clock.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { may, session } from '../../state/session.ts';
import { storedWords } from '../../state/stored.ts';
import { DAY_MS, plural } from '../../text/format.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { Step } from '../../ui/Step.tsx';
import { CodeBlock } from '../../ui/Values.tsx';

/** How long a realm with members is new. */
const NEW_MS = 14 * DAY_MS;
const hidden = storedWords('realmkeep-first-steps-hidden');

const hide = (key: string): void => {
  hidden.value = [...hidden.value, key];
};

/** What to do first in a new realm. It ticks itself off as it happens. */
export function FirstSteps({ summary }: { summary: RealmSummary }) {
  const { realm } = useRealm();
  const key = `${realm.id}@${realm.createdAt}`;
  const isNew = serviceNow() - Date.parse(realm.createdAt) < NEW_MS || summary.members === 0;
  if (!isNew || !mayChange(realm) || hidden.value.includes(key)) return null;
  return <Steps summary={summary} onHide={() => hide(key)} />;
}

function Steps({ summary, onHide }: { summary: RealmSummary; onHide: () => void }) {
  const { realm } = useRealm();
  const { hasTeam, hasOffer } = useDone();
  const hasMembers = summary.members > 0;
  const hasPoints = Object.values(summary.circulation).some((tokens) => BigInt(tokens) !== 0n);
  const ofAdmins = may('admin') ? [hasTeam, realm.settings.discord !== null, hasOffer] : [];
  const isKnown = hasTeam !== undefined && hasOffer !== undefined;
  const left = [hasMembers, hasPoints, ...ofAdmins].filter((isDone) => !isDone).length;
  // When the last one is done, all of them stay until one leaves.
  const [wasOpen, setOpen] = useState(false);
  if (!isKnown || (left === 0 && !wasOpen)) return null;
  if (!wasOpen) setOpen(true);
  return (
    <section class="card" aria-label="First steps">
      <header>
        <h2>First steps</h2>
        <span class="caption">{left === 0 ? 'All done' : `${plural(left, 'step')} to go`}</span>
        <span class="push">
          <Button tone="quiet" small onClick={onHide}>
            Hide
          </Button>
        </span>
      </header>
      <ol class="checklist">
        <Step title="Import your members" isDone={hasMembers}>
          <p class="muted">
            From a file of another bot or a spreadsheet, with their balances, or one by one.
          </p>
          <div class="row wrap">
            <LinkButton href={addresses.import(realm.id)} icon="import" tone="primary">
              Import a list
            </LinkButton>
            <LinkButton href={addresses.members(realm.id)} icon="members">
              Members
            </LinkButton>
          </div>
        </Step>
        <Step title="Award the first points" isDone={hasPoints}>
          <p class="muted">Open a member, and add some. What you do can be undone.</p>
          <LinkButton href={addresses.members(realm.id)} icon="points">
            Choose a member
          </LinkButton>
        </Step>
        {may('admin') && <OfAdmins {...{ hasTeam, hasOffer }} />}
      </ol>
      <ForDevelopers />
    </section>
  );
}

/** Undefined until it is known. */
interface Done {
  hasTeam: boolean | undefined;
  hasOffer: boolean | undefined;
}

function useDone(): Done {
  const { api, realm } = useRealm();
  const { value: team, reload: reloadTeam } = useAnswer(`first people ${realm.id}`, (signal) =>
    api.people({ limit: 2, signal }),
  );
  const { value: offers, reload } = useAnswer(`first offer ${realm.id}`, (signal) =>
    api.offers({ limit: 1, signal }),
  );
  useArrivals(({ type }) => type.startsWith('person.'), reloadTeam);
  useArrivals(({ type }) => type === 'offer.created', reload);
  const isMe = (id: string) => id === session.value?.person?.id;
  return {
    hasTeam: team?.items.some(({ id, removedAt }) => !isMe(id) && removedAt === null),
    hasOffer: offers && offers.items.length > 0,
  };
}

function OfAdmins({ hasTeam = false, hasOffer = false }: Done) {
  const { realm } = useRealm();
  return (
    <>
      <Step title="Invite the team" isDone={hasTeam}>
        <p class="muted">
          Everybody signs in as themselves, to look, to manage or to set things up. You send a link.
        </p>
        <LinkButton href={addresses.people(realm.id)} icon="person">
          People
        </LinkButton>
      </Step>
      <Step title="Connect Discord" isDone={realm.settings.discord !== null}>
        <p class="muted">Members see and spend their points by commands in your server.</p>
        <LinkButton href={addresses.discord(realm.id)} icon="discord">
          Discord
        </LinkButton>
      </Step>
      <Step title="Make the first offer" isDone={hasOffer}>
        <p class="muted">A daily reward, a quest, or something in the shop that points buy.</p>
        <LinkButton href={addresses.offers(realm.id)} icon="offer">
          Offers
        </LinkButton>
      </Step>
    </>
  );
}

/** Programs do the same, with a key. */
function ForDevelopers() {
  const { realm } = useRealm();
  return (
    <details class="for-developers">
      <summary>For developers</summary>
      <p class="muted">
        A bot or a site does all of this with a key{' '}
        {may('admin') && (
          <>
            from <a href={addresses.keys(realm.id)}>Keys</a>
          </>
        )}
        , from a terminal or in TypeScript. The <a href="/docs">reference</a> has the rest.
      </p>
      <CodeBlock code={curlLine(realm.id)} />
      <CodeBlock code={clientLines(realm.id)} />
    </details>
  );
}

const curlLine = (realm: string): string =>
  `curl -X PATCH ${location.origin}/api/v4/realms/${realm}/members/80351110224678912/tokenBalance \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{ "tokens": 50, "description": "Quest reward" }'`;

const clientLines = (realm: string): string =>
  `import { Realmkeep } from '@realmkeep/client';

const realm = new Realmkeep({ url: '${location.origin}', key }).realm('${realm}');
await realm.member('80351110224678912').add(50, { description: 'Quest reward' });`;
