import type { DrawOfferAnswer, Offer } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { amountFault, parseAmount } from '../../text/amounts.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { Counterparty } from '../../ui/Counterparty.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Id } from '../../ui/Values.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

interface DrawProps {
  offer: Offer;
  onDone: () => void;
  onClose: () => void;
}

export function DrawDialog({ offer, onDone, onClose }: DrawProps) {
  const { api } = useRealm();
  const [typed, setTyped] = useState('1');
  const [seed, setSeed] = useState('');
  const write = useIdempotencyKey();
  const winners = parseAmount(typed);
  const submit = async (): Promise<void> => {
    const fields = { winners: winners ?? 1, ...(seed.trim() === '' ? {} : { seed: seed.trim() }) };
    const drawn = await api.offer(offer.id).draw({ ...fields, ...write([offer.id, fields]) });
    toast({ text: `${offer.name}: ${plural(drawn.winners.length, 'winner')} drawn` });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={`Draw winners of ${offer.name}`}
      action="Draw"
      canSubmit={winners !== null}
      fields={['winners', 'seed']}
      outcome={
        <>
          From <b>{plural(offer.claimed, 'ticket')}</b>, and a member wins once. It is drawn once
          and cannot be undone; anybody can repeat it from the journal.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Winners"
        name="winners"
        class="number"
        inputMode="numeric"
        value={typed}
        onInput={setTyped}
        hint={amountFault(typed)}
        autoFocus
      />
      <TextField
        label="Seed"
        name="seed"
        class="mono"
        placeholder="Made by the service"
        value={seed}
        onInput={setSeed}
        hint="A public value that nobody could choose: a lottery’s numbers, the hash of a block."
      />
    </FormDialog>
  );
}

/** Who won, and what anybody needs to repeat it. */
export function DrawResult({ seq }: { seq: number }) {
  const { api } = useRealm();
  const { value, error, reload } = useAnswer(`record ${api.id} ${seq}`, (signal) =>
    api.event(seq, { signal }),
  );
  if (!value)
    return error ? <ProblemNote error={error} retry={reload} /> : <Skeleton width={240} />;
  const { winners, seed, tickets, listHash, method } = value.data as unknown as DrawOfferAnswer;
  return (
    <div class="stack tight">
      <h3>Winners</h3>
      <ol class="winners">
        {winners.map(({ memberId, claimId }) => (
          <li key={claimId}>
            <Counterparty id={memberId} />{' '}
            <a class="quiet-link muted" href={addresses.record(api.id, claimId)}>
              claim {formatNumber(claimId)}
            </a>
          </li>
        ))}
      </ol>
      <dl class="facts">
        <dt>Tickets</dt>
        <dd class="number">{formatNumber(tickets)}</dd>
        <dt>Seed</dt>
        <dd>
          <Id value={seed} keep={12} always />
        </dd>
        <dt>List hash</dt>
        <dd>
          <Id value={listHash} keep={12} always />
        </dd>
        <dt>Method</dt>
        <dd class="mono">{method}</dd>
        <dt>Drawn</dt>
        <dd>
          <a class="link" href={addresses.record(api.id, seq)}>
            Record {formatNumber(seq)}
          </a>
        </dd>
      </dl>
    </div>
  );
}
