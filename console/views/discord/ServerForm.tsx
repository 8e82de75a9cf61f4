import type { DiscordServer } from '@realmkeep/client';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField, useForm } from '../../ui/Field.tsx';
import { ProblemNote } from '../../ui/States.tsx';
import { submits, useSubmit } from '../../ui/submit.ts';
import { useIdempotencyKey } from '../../ui/writes.ts';

const isId = (text: string): boolean => /^[1-9]\d{14,19}$/.test(text.trim());

const FIELDS = [
  {
    name: 'guildId',
    label: 'Server id',
    hint: 'Settings, Advanced, Developer Mode; then right-click the server, Copy Server ID.',
  },
  {
    name: 'announceChannelId',
    label: 'Channel for announcements (optional)',
    hint: 'Large gifts, draws and new offers are announced there. Right-click it, Copy Channel ID.',
  },
  {
    name: 'managerRoleId',
    label: 'Role of managers (optional)',
    hint: 'Who has it may award and take points, as may all who manage the server.',
  },
] as const;

interface ServerFormProps {
  /** Absent for another one. */
  saved?: DiscordServer;
  /** All servers of the realm with this one; with null without it. */
  serversWith: (server: DiscordServer | null) => DiscordServer[];
  onLinked: () => void;
}

/** A server that belongs to the realm, and two ids in it that may be left out. */
export function ServerForm({ saved, serversWith, onLinked }: ServerFormProps) {
  const { api, realm } = useRealm();
  const { typed, field } = useForm({
    guildId: saved?.guildId ?? '',
    announceChannelId: saved?.announceChannelId ?? '',
    managerRoleId: saved?.managerRoleId ?? '',
  });
  const write = useIdempotencyKey();
  const save = async (server: DiscordServer | null, text: string): Promise<void> => {
    const [discord, before] = [serversWith(server), realm.settings.discord];
    await api.update({ settings: { discord }, ...write([realm.updatedAt, discord]) });
    const undo = () => api.update({ settings: { discord: before } }).then(onLinked);
    toast({ text, undo });
    onLinked();
  };
  const linking = useSubmit(() => {
    const link = {
      guildId: typed.guildId.trim(),
      announceChannelId: typed.announceChannelId.trim() || null,
      managerRoleId: typed.managerRoleId.trim() || null,
    };
    return save(link, 'Server linked');
  });
  const unlinking = useSubmit(() => save(null, 'Server unlinked'));
  const error = linking.error ?? unlinking.error;
  const mayBeEmpty = [typed.announceChannelId, typed.managerRoleId];
  const isValid = isId(typed.guildId) && mayBeEmpty.every((id) => id.trim() === '' || isId(id));
  return (
    <form class="stack" noValidate onSubmit={submits(isValid && linking.submit)}>
      {FIELDS.map(({ name, ...words }) => (
        <TextField key={name} {...words} {...field(name)} class="mono" inputMode="numeric" />
      ))}
      {error && <ProblemNote error={error} isChange />}
      <div class="row">
        <Button type="submit" tone="primary" busy={linking.busy} disabled={!isValid}>
          {saved ? 'Save' : 'Link the server'}
        </Button>
        {saved && (
          <Button tone="quiet" busy={unlinking.busy} onClick={() => void unlinking.submit()}>
            Unlink
          </Button>
        )}
      </div>
    </form>
  );
}
