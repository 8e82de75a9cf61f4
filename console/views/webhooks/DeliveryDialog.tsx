import type { Delivery, DeliveryWithPayload } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { erasures } from '../../state/erasures.ts';
import { useRealm } from '../../state/realm.ts';
import { formatInstant, formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { useSubmit } from '../../ui/submit.ts';
import { CodeBlock, Id } from '../../ui/Values.tsx';
import { inWords, Outcome } from './Outcome.tsx';

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
        <Button
          tone="primary"
          disabled={!value}
          busy={resend.busy}
          onClick={() => void resend.submit()}
        >
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
        <dt>Id</dt>
        <dd>
          <Id value={delivery.messageId} full always />
        </dd>
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
