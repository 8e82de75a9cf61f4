import type { DrawOfferAnswer, Offer } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { amountFault, parseAmount } from '../../text/amounts.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { Counterparty } from '../../ui/Counterparty.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { TextField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { Id } from '../../ui/Values.tsx';

interface DrawProps {
  offer: Offer;
  onChanged: () => void;
  onClose: () => void;
}

export function DrawDialog({ offer, ...ends }: DrawProps) {
  const { api } = useRealm();
  const { typed, field } = useForm({ winners: '1', seed: '' });
  const winners = parseAmount(typed.winners);
  const submit = async (write: Write) => {
    const seed = typed.seed.trim();
    const fields = { winners: winners ?? 1, ...(seed === '' ? {} : { seed }) };
    const drawn = await api.offer(offer.id).draw({ ...fields, ...write([offer.id, fields]) });
    return { text: `${offer.name}: ${plural(drawn.winners.length, 'winner')} drawn` };
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
      {...ends}
    >
      <TextField
        label="Winners"
        class="number"
        inputMode="numeric"
        hint={amountFault(typed.winners)}
        autoFocus
        {...field('winners')}
      />
      <TextField
        label="Seed"
        class="mono"
        placeholder="Made by the service"
        hint="A public value that nobody could choose: a lottery’s numbers, the hash of a block."
        {...field('seed')}
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
        <Fact label="Tickets" class="number" value={formatNumber(tickets)} />
        <Fact label="Seed" value={<Id value={seed} keep={12} always />} />
        <Fact label="List hash" value={<Id value={listHash} keep={12} always />} />
        <Fact label="Method" class="mono" value={method} />
        <Fact
          label="Drawn"
          value={
            <a class="link" href={addresses.record(api.id, seq)}>
              Record {formatNumber(seq)}
            </a>
          }
        />
      </dl>
    </div>
  );
}
