import type { Offer } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { changedFields } from '../../text/changed-fields.ts';
import { idFrom } from '../../text/ids.ts';
import { offerForm, readOffer } from '../../text/offer-form.ts';
import type { Terms } from '../../text/offers.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';
import { OfferCard } from './OfferCard.tsx';
import { LimitFields, MainFields, MoreFields } from './OfferFields.tsx';

interface OfferProps {
  /** Null for a new one. */
  offer: Offer | null;
  onDone: (offer: Offer) => void;
  onClose: () => void;
}

const LONGEST_ID = 32;
const FIELDS = 'id name emoji description gives costs perMember streak stock opensAt closesAt';

/** Makes or changes an offer, and shows how it will read meanwhile. */
export function OfferDialog({ offer, onDone, onClose }: OfferProps) {
  const { kinds } = useRealm();
  const [typedId, setTypedId] = useState<string | null>(null);
  // As it was when the dialog opened: only what is changed here is sent, and undone.
  const [opened] = useState(() => offerForm(offer, kinds));
  const [form, setForm] = useState(opened);
  const id = offer?.id ?? typedId ?? idFrom(form.name, LONGEST_ID);
  const { terms, isComplete } = readOffer(form, kinds);
  const before = readOffer(opened, kinds).terms;
  const isChanged = Object.keys(changedFields(before, terms)).length > 0;
  const save = useSave(offer, onDone);
  const claimed = offer?.claimed ?? 0;
  const fields = { form, set: (changes: Partial<typeof form>) => setForm({ ...form, ...changes }) };
  const submit = async (): Promise<void> => {
    onDone(await save(id, before, terms));
    onClose();
  };
  return (
    <FormDialog
      title={offer ? `Edit ${offer.name}` : 'Add an offer'}
      action={offer ? 'Save' : 'Add'}
      wide
      canSubmit={isComplete && id !== '' && (offer === null || isChanged)}
      fields={[...FIELDS.split(' '), 'requires']}
      outcome={claimed > 0 && 'It counts from the next claim on. Past claims keep what they were.'}
      onSubmit={submit}
      onClose={onClose}
    >
      <OfferCard
        terms={terms}
        stockLeft={terms.stock === null ? null : Math.max(0, terms.stock - claimed)}
      />
      <MainFields {...fields} />
      {!offer && (
        <TextField
          label="Id"
          name="id"
          class="mono"
          placeholder="daily-reward"
          hint="What programs call it. It cannot be changed later."
          value={id}
          onInput={setTypedId}
        />
      )}
      <LimitFields {...fields} />
      <MoreFields {...fields} id={id} />
    </FormDialog>
  );
}

function useSave(offer: Offer | null, onDone: (offer: Offer) => void) {
  const { api } = useRealm();
  const write = useIdempotencyKey();
  return async (id: string, before: Terms, after: Terms): Promise<Offer> => {
    if (!offer) {
      const added = await api.createOffer({ id, ...after, ...write([id, after]) });
      toast({ text: `${after.name} added` });
      return added;
    }
    const changed = changedFields(before, after);
    const saved = await api.offer(id).update({ ...changed, ...write([id, changed]) });
    const undo = () => api.offer(id).update(changedFields(after, before)).then(onDone);
    toast({ text: `${after.name} changed`, undo });
    return saved;
  };
}
