import type { Offer } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { changedFields } from '../../text/changed-fields.ts';
import { idFrom } from '../../text/ids.ts';
import { offerForm, readOffer } from '../../text/offer-form.ts';
import type { Terms } from '../../text/offers.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { OfferCard } from './OfferCard.tsx';
import { LimitFields, MainFields, MoreFields } from './OfferFields.tsx';

interface OfferProps {
  /** Null for a new one. */
  offer: Offer | null;
  /** Called with the id of a new one. */
  onAdded?: (id: string) => void;
  onChanged?: () => void;
  onClose: () => void;
}

const LONGEST_ID = 32;
const FIELDS = 'id name emoji description gives costs perMember streak stock opensAt closesAt';

/** Makes or changes an offer, and shows how it will read meanwhile. */
export function OfferDialog({ offer, onAdded, ...ends }: OfferProps) {
  const { kinds } = useRealm();
  const [typedId, setTypedId] = useState<string | null>(null);
  // As it was when the dialog opened: only what is changed here is sent, and undone.
  const [opened] = useState(() => offerForm(offer, kinds));
  const [form, setForm] = useState(opened);
  const id = offer?.id ?? typedId ?? idFrom(form.name, LONGEST_ID);
  const { terms, isComplete } = readOffer(form, kinds);
  const before = readOffer(opened, kinds).terms;
  const isChanged = Object.keys(changedFields(before, terms)).length > 0;
  const save = useSave(offer);
  const claimed = offer?.claimed ?? 0;
  const fields = { form, set: (changes: Partial<typeof form>) => setForm({ ...form, ...changes }) };
  const submit = async (write: Write) => {
    const said = await save(id, before, terms, write);
    if (!offer) onAdded?.(id);
    return said;
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
      {...ends}
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

function useSave(offer: Offer | null) {
  const { api } = useRealm();
  return async (id: string, before: Terms, after: Terms, write: Write) => {
    if (!offer) {
      await api.createOffer({ id, ...after, ...write([id, after]) });
      return { text: `${after.name} added` };
    }
    const changed = changedFields(before, after);
    await api.offer(id).update({ ...changed, ...write([id, changed]) });
    const undo = () => api.offer(id).update(changedFields(after, before));
    return { text: `${after.name} changed`, undo };
  };
}
