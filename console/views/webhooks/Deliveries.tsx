import type { Delivery, DeliveryWithPayload, TestDelivery } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { erasures } from '../../state/erasures.ts';
import type { Pages } from '../../state/pages.ts';
import { useRealm } from '../../state/realm.ts';
import { formatInstant, formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/States.tsx';
import { useSubmit } from '../../ui/submit.ts';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { CodeBlock, Id, Time } from '../../ui/Values.tsx';

/** The latest attempts, newest first. */
export function Deliveries({ webhook, pages }: { webhook: string; pages: Pages<Delivery> }) {
  const { api } = useRealm();
  return (
    <section class="stack tight flush">
      <h3>Deliveries</h3>
      <PagedTable
        class=""
        label="Deliveries"
        columns={columns((id) => addresses.delivery(api.id, webhook, id))}
        pages={pages}
        rowClass={() => 'linked'}
        empty={<Empty icon="webhook" title="Nothing has been sent yet" />}
      />
    </section>
  );
}

const columns = (addressOf: (id: number) => string): Column<Delivery>[] => [
  {
    id: 'event',
    header: 'Event',
    cell: ({ id, type, at, attempt }) => (
      <div class="two-lines">
        <a class="row-link mono ellipsis" href={addressOf(id)}>
          {type}
        </a>
        <span class="caption">
          <Time at={at} />
          {attempt > 1 && ` · attempt ${attempt}`}
        </span>
      </div>
    ),
  },
  {
    id: 'answer',
    header: 'Answer',
    width: 160,
    cell: ({ delivered, status, error }) => (
      <span class={delivered ? 'badge in' : 'badge out'}>{status ?? inWords(error)}</span>
    ),
  },
  {
    id: 'latency',
    header: 'Took',
    width: 88,
    isNumber: true,
    from: 'medium',
    cell: ({ latencyMs }) => `${formatNumber(latencyMs)} ms`,
  },
];

/** `connection-failed` as people say it. */
const inWords = (error: string | null): string => (error ?? '').replaceAll('-', ' ');

/** What became of something that was just sent. */
export function Outcome({ what, result }: { what: string; result: TestDelivery }) {
  const { delivered, status, latencyMs, error, answer } = result;
  return (
    <div class="outcome" role="status">
      <b>
        {what} {delivered ? 'arrived' : 'did not arrive'}
      </b>
      : {status === null ? inWords(error) : `answered ${status}`} after {formatNumber(latencyMs)} ms
      {answer && (
        <p class="mono muted">
          <Text value={answer.slice(0, 200)} />
        </p>
      )}
    </div>
  );
}

interface DeliveryProps {
  webhook: string;
  id: number;
  onSent: () => void;
  onClose: () => void;
}

/** One attempt: what was sent, and what the receiver answered. */
export function DeliveryDialog({ webhook, id, onSent, onClose }: DeliveryProps) {
  const { api } = useRealm();
  const handle = api.webhook(webhook);
  const key = `delivery ${api.id} ${webhook} ${id}`;
  const ask = (signal: AbortSignal) => handle.delivery(id, { signal });
  const { value, error, reload } = useAnswer(key, ask, erasures.value);
  const [sent, setSent] = useState<Delivery>();
  const resend = useSubmit(async () => {
    setSent(await handle.resend(id));
    onSent();
  });
  return (
    <Dialog title="Delivery" wide busy={resend.busy} onClose={onClose}>
      <div class="body">
        {error && <ProblemNote error={error} retry={reload} />}
        {!value && !error && <Skeleton width={240} />}
        {resend.error && <ProblemNote error={resend.error} />}
        {sent && <Outcome what="The event" result={sent} />}
        {value && <Facts delivery={value} />}
      </div>
      <footer>
        <Button busy={resend.busy} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" disabled={!value} busy={resend.busy} onClick={resend.submit}>
          Send again
        </Button>
      </footer>
    </Dialog>
  );
}

function Facts({ delivery }: { delivery: DeliveryWithPayload }) {
  const { api } = useRealm();
  const { seq, type, at, attempt, status, error, latencyMs, delivered, answer } = delivery;
  return (
    <>
      <dl class="facts">
        <dt>Event</dt>
        <dd>
          <a class="link mono" href={addresses.record(api.id, seq)}>
            {type}
          </a>
        </dd>
        <dt>Sent</dt>
        <dd>
          {formatInstant(at)}
          {attempt > 1 && `, attempt ${formatNumber(attempt)}`}
        </dd>
        <dt>Answer</dt>
        <dd>
          <span class={delivered ? 'badge in' : 'badge out'}>{status ?? inWords(error)}</span>{' '}
          <span class="muted">after {formatNumber(latencyMs)} ms</span>
        </dd>
        <Fact label="Id" value={<Id value={delivery.messageId} full always />} />
      </dl>
      {answer && (
        <div class="stack tight">
          <h3>What the receiver said</h3>
          <CodeBlock code={answer} />
        </div>
      )}
      <div class="stack tight">
        <h3>What was sent</h3>
        <CodeBlock code={JSON.stringify(delivery.payload, null, 2)} />
      </div>
    </>
  );
}
