import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import { JOURNAL_END, MAX_PAGE } from '../../api/limits.ts';
import { useAnswer } from '../../state/answers.ts';
import { erasures } from '../../state/erasures.ts';
import { useRealm } from '../../state/realm.ts';
import { eventStyle, isErased } from '../../text/events.ts';
import { formatInstant, formatNumber } from '../../text/format.ts';
import { personIn } from '../../text/people.ts';
import { EventSentence } from '../../ui/EventLine.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { Reference } from '../../ui/Reference.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { CodeBlock, Id, Time } from '../../ui/Values.tsx';

/** One record of the journal: what, when, and who did it. */
export function RecordPanel({ seq, onClose }: { seq: number; onClose: () => void }) {
  if (Number.isSafeInteger(seq) && seq > 0) return <KnownRecord seq={seq} onClose={onClose} />;
  return (
    <Panel label="Record" head={<h2>Record</h2>} onClose={onClose}>
      <Empty icon="activity" title="There is no such record">
        <p>Records are numbered 1, 2, 3, … without gaps.</p>
      </Empty>
    </Panel>
  );
}

function KnownRecord({ seq, onClose }: { seq: number; onClose: () => void }) {
  const { api } = useRealm();
  const {
    value: event,
    error,
    reload,
  } = useAnswer(`record ${api.id} ${seq}`, (signal) => api.event(seq, { signal }), erasures.value);
  return (
    <Panel
      label={`Record ${seq}`}
      head={
        <h2 class="row">
          {event && <Icon name={eventStyle(event).icon} />}
          Record {formatNumber(seq)}
        </h2>
      }
      onClose={onClose}
    >
      {error && <ProblemNote error={error} retry={reload} />}
      {!event && !error && <Skeleton width={240} />}
      {event && <Record event={event} />}
    </Panel>
  );
}

function Record({ event }: { event: RealmEvent & { hash: string } }) {
  const { reference } = event.data as { reference?: string };
  return (
    <>
      <p class="record-sentence">
        <EventSentence event={event} />
      </p>
      <dl class="facts">
        <dt>When</dt>
        <dd>
          {formatInstant(event.at)} <span class="muted">(</span>
          <span class="muted">
            <Time at={event.at} />)
          </span>
        </dd>
        <dt>Who</dt>
        <dd>
          <Actor actor={event.actor} />
          {event.onBehalfOf && (
            <p class="caption">
              on behalf of <Text value={event.onBehalfOf} />
            </p>
          )}
        </dd>
        <Fact label="Type" class="mono" value={event.type} />
        {reference && <Fact label="Reference" value={<Reference value={reference} />} />}
        {isErased(event) && (
          <Fact
            label="Erased"
            value="What it said of a person was erased. The points and the hash stay."
          />
        )}
        <dt>Hash</dt>
        <dd>
          <Id value={event.hash} keep={12} always />
          <p class="caption">It covers this record and, by the hash before it, all earlier ones.</p>
        </dd>
      </dl>
      <div class="stack tight">
        <h3>As recorded</h3>
        <CodeBlock code={JSON.stringify(event.data, null, 2)} />
      </div>
    </>
  );
}

const ACTORS: Record<string, string> = {
  root: 'The root key',
  cli: 'The command line',
  service: 'The service itself',
};

/** A key by its name, also if it is revoked; whoever acted here has a session as well. */
function Actor({ actor }: { actor: string }) {
  const [who = '', part] = actor.split('/');
  const person = personIn(actor);
  const inConsole = part?.startsWith('session:') && <span class="muted">in the console</span>;
  if (person) {
    return (
      <span class="row">
        <PersonName id={person} />
        <Id value={person} full always />
      </span>
    );
  }
  const known = ACTORS[who];
  if (known) {
    return (
      <>
        {known} {inConsole}
      </>
    );
  }
  const id = who.replace(/^key:/, '');
  return (
    <span class="row">
      <KeyName id={id} />
      <Id value={id} full always />
      {inConsole}
    </span>
  );
}

export function KeyName({ id }: { id: string }) {
  const { api } = useRealm();
  const { value } = useAnswer(`key names ${api.id}`, (signal) => keyNames(api, signal));
  const name = value?.get(id);
  return name ? <Text value={name} /> : <>A key</>;
}

/** The newest keys by their ids: the journal has the names of those that are revoked, too. */
async function keyNames(api: RealmHandle, signal: AbortSignal): Promise<Map<string, string>> {
  const types = ['key.created', 'key.rotated'] as const;
  const { items } = await api.events({ before: JOURNAL_END, limit: MAX_PAGE, types, signal });
  return new Map(
    items.map(({ data }) => {
      const { keyId, newKeyId = keyId, name = '' } = data as Record<string, string>;
      return [newKeyId ?? '', name];
    }),
  );
}
