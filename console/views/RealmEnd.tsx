import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import type { OpenRealm } from '../state/realm.ts';
import { archiving, deleting } from '../state/realm-end.ts';
import { NO_EDITS } from '../state/settings-form.ts';
import { toast } from '../state/toasts.ts';
import { keepUnsaved } from '../state/unsaved.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { TextField, useForm } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { isAt } from '../ui/location.ts';
import { Text } from '../ui/Text.tsx';

interface DialogProps {
  open: OpenRealm;
  onClose: () => void;
}

/** What only the root key may do: make the realm read only, or delete it for good. */
export function RealmEnd({ open }: { open: OpenRealm }) {
  const [dialog, setDialog] = useState<'archive' | 'delete' | null>(null);
  const isArchived = open.realm.archivedAt !== null;
  const close = (): void => setDialog(null);
  return (
    <Card
      title="Archive or delete"
      note="An archived realm can be read and not changed. A deleted one is gone, with its journal."
    >
      <div class="row wrap">
        <Button onClick={() => setDialog('archive')}>{isArchived ? 'Unarchive' : 'Archive'}</Button>
        <Button tone="danger" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      </div>
      {dialog === 'archive' && <ArchiveDialog open={open} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog open={open} onClose={close} />}
    </Card>
  );
}

function ArchiveDialog({ open: { api, realm, reload }, onClose }: DialogProps) {
  // As it was when the dialog opened: it does not turn into its opposite.
  const [isArchived] = useState(realm.archivedAt !== null);
  const set = async (archived: boolean): Promise<void> => {
    archiving.value = archived ? realm.id : null;
    await (archived ? api.archive() : api.unarchive());
    reload();
  };
  const submit = async () => {
    await set(!isArchived);
    return {
      text: `${realm.name} ${isArchived ? 'unarchived' : 'archived'}`,
      undo: () => set(isArchived),
    };
  };
  return (
    <FormDialog
      title={`${isArchived ? 'Unarchive' : 'Archive'} ${realm.name}?`}
      action={isArchived ? 'Unarchive' : 'Archive'}
      outcome={
        isArchived
          ? 'Members, points and settings can be changed again.'
          : 'Everything can be read, and nothing changed, until it is unarchived. Keys stay valid.'
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

/** The id is repeated, because nothing brings the realm back. */
function DeleteDialog({ open: { api, realm }, onClose }: DialogProps) {
  const { route } = useLocation();
  const { typed, field } = useForm({ confirm: '' });
  const submit = async (): Promise<void> => {
    deleting.value = realm.id;
    try {
      await api.delete({ confirm: realm.id });
      keepUnsaved(realm.id, NO_EDITS);
      toast({ text: `${realm.name} deleted` });
      if (isAt(addresses.overview(realm.id))) route(addresses.realms);
    } finally {
      deleting.value = null;
    }
  };
  return (
    <FormDialog
      title={`Delete ${realm.name} for good?`}
      action="Delete"
      tone="danger"
      canSubmit={typed.confirm.trim() === realm.id}
      fields={['confirm']}
      outcome={
        <>
          The members, points, keys and journal of “<Text value={realm.name} />” are removed at
          once. Nothing brings them back.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={`Type its id, ${realm.id}`} class="mono" autoFocus {...field('confirm')} />
    </FormDialog>
  );
}
