import type { RealmSummary } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { may } from '../../state/session.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { ProblemNote } from '../../ui/States.tsx';
import { Step } from '../../ui/Step.tsx';
import { CodeBlock } from '../../ui/Values.tsx';

/** What to do first in a new realm. It ticks itself off as it happens. */
export function Checklist({ summary }: { summary: RealmSummary }) {
  const hasMembers = summary.members > 0;
  const hasPoints = Object.values(summary.circulation).some((tokens) => BigInt(tokens) !== 0n);
  const [isNew] = useState(!hasMembers || !hasPoints);
  const { realm } = useRealm();
  if (!isNew || !mayChange(realm)) return null;
  return (
    <section class="card">
      <header>
        <h2>First steps</h2>
      </header>
      <ol class="checklist">
        {may('admin') && <KeyStep />}
        <Step title="Add members" isDone={hasMembers}>
          <p class="muted">One by one, from a list, or by your bot.</p>
          <div class="row wrap">
            <LinkButton href={addresses.import(realm.id)} icon="import">
              Import a list
            </LinkButton>
            <LinkButton href={addresses.members(realm.id)} icon="members">
              Members
            </LinkButton>
          </div>
        </Step>
        <Step title="Award the first points" isDone={hasPoints}>
          <p class="muted">From a member’s page, from a terminal, or from your bot:</p>
          <CodeBlock code={curlLine(realm.id)} />
          <CodeBlock code={clientLines(realm.id)} />
        </Step>
      </ol>
    </section>
  );
}

function KeyStep() {
  const { api, realm } = useRealm();
  const { value, error, reload } = useAnswer(`keys ${realm.id}`, (signal) => api.keys({ signal }));
  useArrivals(({ type }) => type.startsWith('key.'), reload);
  return (
    <Step title="Issue a key for your bot" isDone={(value?.items.length ?? 0) > 0}>
      {error && <ProblemNote error={error} retry={reload} />}
      <p class="muted">It is shown once, and can be revoked at any time.</p>
      <LinkButton href={addresses.keys(realm.id)} icon="key">
        Keys
      </LinkButton>
    </Step>
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
