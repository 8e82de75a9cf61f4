import type { Member } from '@realmkeep/client';
import { Text } from '../../ui/Text.tsx';
import { CodeBlock, Id, Time } from '../../ui/Values.tsx';

export function Details({ member }: { member: Member }) {
  const hasData = Object.keys(member.metadata).length > 0;
  return (
    <div class="stack">
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <Id value={member.id} full always />
        </dd>
        {member.accounts.map(({ provider, id, username }) => (
          <>
            <dt>{provider}</dt>
            <dd>
              {username && (
                <>
                  <Text value={username} />{' '}
                </>
              )}
              {username !== id && <Id value={id} full always />}
            </dd>
          </>
        ))}
        {member.tags.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd>
              <Text value={member.tags.join(', ')} />
            </dd>
          </>
        )}
        {member.note !== null && (
          <>
            <dt>Note</dt>
            <dd class="whole">
              <Text value={member.note} />
            </dd>
          </>
        )}
        <dt>Joined</dt>
        <dd>
          <Time at={member.createdAt} />
        </dd>
        <dt>Last active</dt>
        <dd>
          <Time at={member.lastActiveAt} />
        </dd>
        <dt>Last edit</dt>
        <dd>
          <Time at={member.updatedAt} />
        </dd>
      </dl>
      {hasData && (
        <div class="stack tight">
          <h3>Custom data (JSON)</h3>
          <CodeBlock code={JSON.stringify(member.metadata, null, 2)} />
        </div>
      )}
    </div>
  );
}
