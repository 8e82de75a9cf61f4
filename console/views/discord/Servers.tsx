import type { DiscordServer, GetDiscordStatusAnswer } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { Button } from '../../ui/Button.tsx';
import { ServerForm } from './ServerForm.tsx';

const MAX_SERVERS = 20;

type Found = GetDiscordStatusAnswer['servers'][number];

export const works = ({ isServed, problem }: Found): boolean => isServed && problem === null;

/** The servers of the realm, how the app finds each, and a form for another one. */
export function Servers({ found, onLinked }: { found: Found[]; onLinked: () => void }) {
  const { realm } = useRealm();
  const saved = [realm.settings.discord ?? []].flat();
  const [isAdding, setAdding] = useState(saved.length === 0);
  const withAt = (index: number) => (server: DiscordServer | null) =>
    saved.toSpliced(index, 1, ...(server ? [server] : []));
  return (
    <div class="stack">
      {saved.map((server, index) => (
        <details key={server.guildId} class="server" open={saved.length === 1}>
          <summary>
            <span class="mono">{server.guildId}</span>{' '}
            <Badge found={found.find(({ guildId }) => guildId === server.guildId)} />
          </summary>
          <ServerForm saved={server} serversWith={withAt(index)} onLinked={onLinked} />
        </details>
      ))}
      {isAdding && <ServerForm serversWith={withAt(saved.length)} onLinked={onLinked} />}
      {!isAdding && saved.length < MAX_SERVERS && (
        <div class="row">
          <Button icon="plus" onClick={() => setAdding(true)}>
            Add another server
          </Button>
        </div>
      )}
    </div>
  );
}

function Badge({ found }: { found: Found | undefined }) {
  if (found?.problem) return <span class="badge out">needs attention</span>;
  return found?.isServed ? <span class="badge in">connected</span> : null;
}
