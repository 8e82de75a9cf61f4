import { signal } from '@preact/signals';
import type { RealmSummary } from '@realmkeep/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { serviceNow } from '../../api/clock.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { offersOf } from '../../state/offers.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { may, session } from '../../state/session.ts';
import { DAY_MS, plural } from '../../text/format.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { CodeBlock } from '../../ui/Values.tsx';

/** How long a realm with members is new. */
const NEW_MS = 30 * DAY_MS;
const STORED = 'realmkeep-first-steps-hidden';

const hidden = signal<string>(localStorage.getItem(STORED) ?? '');

function hide(key: string): void {
  hidden.value = [...hidden.value.split(' '), key].join(' ').trim();
  localStorage.setItem(STORED, hidden.value);
}

interface Step {
  title: string;
  isDone: boolean;
  says: string;
  links: ComponentChildren;
}

/** What to do first in a new realm. It ticks itself off as it happens. */
export function FirstSteps({ summary }: { summary: RealmSummary }) {
  const { realm } = useRealm();
  const key = `${realm.id}@${realm.createdAt}`;
  const isNew = serviceNow() - Date.parse(realm.createdAt) < NEW_MS || summary.members === 0;
  if (!isNew || !mayChange(realm) || hidden.value.split(' ').includes(key)) return null;
  return <Steps summary={summary} onHide={() => hide(key)} />;
}

function Steps({ summary, onHide }: { summary: RealmSummary; onHide: () => void }) {
  const steps = useSteps(summary);
  const left = steps?.filter(({ isDone }) => !isDone).length;
  // When the last one is done, all of them stay until one leaves.
  const [wasOpen, setOpen] = useState(false);
  if (left === undefined || (left === 0 && !wasOpen)) return null;
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
        {steps?.map((step) => (
          <StepItem key={step.title} step={step} />
        ))}
      </ol>
      <ForDevelopers />
    </section>
  );
}

/** Undefined until it is known what is done. */
function useSteps(summary: RealmSummary): Step[] | undefined {
  const { api, realm } = useRealm();
  const { value: team, reload } = useAnswer(`first people ${realm.id}`, (signal) =>
    api.people({ limit: 2, signal }),
  );
  useArrivals(({ type }) => type.startsWith('person.'), reload);
  const { value: offers } = useAnswer(`first offer ${realm.id}`, (signal) =>
    api.offers({ limit: 1, signal }),
  );
  const known = offersOf(api).value;
  if (!team || !offers) return undefined;
  const isMe = (id: string) => id === session.value?.person?.id;
  const ofAdmins: Step[] = [
    {
      title: 'Invite the team',
      isDone: team.items.some(({ id, removedAt }) => !isMe(id) && removedAt === null),
      says: 'Everybody signs in as themselves, and may see, manage or set up. You send a link.',
      links: (
        <LinkButton href={addresses.people(realm.id)} icon="person">
          People
        </LinkButton>
      ),
    },
    {
      title: 'Make the first offer',
      isDone: offers.items.length > 0 || known.size > 0,
      says: 'A daily reward, a quest, or something in the shop that points buy.',
      links: (
        <LinkButton href={addresses.offers(realm.id)} icon="offer">
          Offers
        </LinkButton>
      ),
    },
  ];
  return [...ofManagers(realm.id, summary), ...(may('admin') ? ofAdmins : [])];
}

const ofManagers = (realm: string, summary: RealmSummary): Step[] => [
  {
    title: 'Import your members',
    isDone: summary.members > 0,
    says: 'From a file of another bot or a spreadsheet, with their balances, or one by one.',
    links: (
      <>
        <LinkButton href={addresses.import(realm)} icon="import" tone="primary">
          Import a list
        </LinkButton>
        <LinkButton href={addresses.members(realm)} icon="members">
          Members
        </LinkButton>
      </>
    ),
  },
  {
    title: 'Award the first points',
    isDone: Object.values(summary.circulation).some((tokens) => BigInt(tokens) !== 0n),
    says: 'Open a member, and add some. What you do can be undone.',
    links: (
      <LinkButton href={addresses.members(realm)} icon="points">
        Choose a member
      </LinkButton>
    ),
  },
];

function StepItem({ step: { title, isDone, says, links } }: { step: Step }) {
  return (
    <li class={isDone ? 'done' : ''}>
      <span class="mark" aria-hidden="true">
        {isDone && <Icon name="check" />}
      </span>
      <h3>
        {title}
        {isDone && <span class="visually-hidden"> (done)</span>}
      </h3>
      {!isDone && (
        <div class="rest">
          <p class="muted">{says}</p>
          <div class="row wrap">{links}</div>
        </div>
      )}
    </li>
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
