import type { InvitedPerson, Person } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { session } from '../../state/session.ts';
import { ROLES } from '../../text/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { CheckField, SelectField, TextField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { SessionTable } from '../Sessions.tsx';
import type { Team } from './team.ts';

interface DialogProps {
  team: Team;
  onChanged: () => void;
  onClose: () => void;
}

type OfPerson = DialogProps & { person: Person };
type Inviting = Omit<DialogProps, 'onChanged'> & { onInvited: (person: InvitedPerson) => void };
type Editing = DialogProps & Inviting & { person?: Person };

export const calledPerson = ({ name }: Pick<Person, 'name'>): string => name ?? 'a person';

/** Whether the reader is this person. */
export const isReader = ({ id }: Person): boolean => id === session.value?.person?.id;

/** Invites somebody, or changes a person. */
export function PersonDialog({ team, person, onInvited, ...ends }: Editing) {
  const before = person?.role ?? 'manager';
  const { typed, field, choice } = useForm({
    name: person?.name ?? '',
    role: before === 'owner' ? 'admin' : before,
  });
  const { role } = typed;
  const submit = async (write: Write) => {
    const change = { name: typed.name.trim(), role };
    const fields = { ...change, ...write(change) };
    if (person) {
      await team.update(person.id, fields);
      return { text: `${fields.name} changed` };
    }
    onInvited(await team.create(fields));
    return;
  };
  const isOwnRole = person && isReader(person) && role !== before && team.hasRoles;
  const invite = team.hasRoles ? 'Invite a person' : 'Invite an owner';
  return (
    <FormDialog
      title={person ? `Change ${calledPerson(person)}` : invite}
      action={person ? 'Save' : 'Invite'}
      canSubmit={typed.name.trim() !== ''}
      fields={['name', 'role']}
      outcome={
        person
          ? isOwnRole && <b>This is your own role.</b>
          : 'You get a link to send. It works once, for seven days.'
      }
      onSubmit={submit}
      {...ends}
    >
      <TextField
        label="Name"
        autoFocus
        hint="Everybody here sees who changed what, by this name."
        {...field('name')}
      />
      {team.hasRoles && (
        <SelectField
          label="Role"
          choices={[...ROLES]}
          hint={ROLES.find(({ value }) => value === role)?.hint}
          {...choice('role')}
        />
      )}
    </FormDialog>
  );
}

export function NewLinkDialog(props: Inviting & Pick<OfPerson, 'person'>) {
  const { team, person, onInvited, onClose } = props;
  return (
    <FormDialog
      title={`A new link for ${calledPerson(person)}`}
      action="Make a link"
      outcome={
        'It signs in once, within seven days, such as on a new device. An earlier link works no ' +
        'more; passkeys and sessions stay.'
      }
      onSubmit={async (write) => onInvited(await team.invite(person.id, write(person.id)))}
      onClose={onClose}
    />
  );
}

export function LinkDialog({ person, onClose }: { person: InvitedPerson; onClose: () => void }) {
  return (
    <SecretDialog
      title={`The link for ${calledPerson(person)}`}
      secret={person.invitation}
      note="Send it to this person alone: it signs in once, within seven days."
      lost="Make a new link in the menu of the person."
      copyLabel="Copy the link"
      onClose={onClose}
    />
  );
}

export function PersonSessions({ person, onClose }: Pick<OfPerson, 'person' | 'onClose'>) {
  return (
    <Dialog title={`Where ${calledPerson(person)} is signed in`} wide onClose={onClose}>
      <div class="body">
        <SessionTable personId={person.id} />
      </div>
      <footer>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}

export function RemovePersonDialog({ team, person, ...ends }: OfPerson) {
  const [erase, setErase] = useState(false);
  const submit = async () => {
    await team.remove(person.id, erase);
    return { text: `${calledPerson(person)} removed` };
  };
  return (
    <FormDialog
      title={`Remove ${calledPerson(person)}?`}
      action="Remove"
      tone="danger"
      outcome={
        <>
          All sessions end within two seconds. What was done stays in the history.
          {isReader(person) && <b> This is you: you will be signed out.</b>}
        </>
      }
      onSubmit={submit}
      {...ends}
    >
      <CheckField
        label="Erase the name, too"
        hint="The history then says “a person”."
        checked={erase}
        onChange={setErase}
      />
    </FormDialog>
  );
}
