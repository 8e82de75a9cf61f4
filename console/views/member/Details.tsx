import type { Member } from '@realmkeep/client';
import { Fact } from '../../ui/Facts.tsx';
import { Text } from '../../ui/Text.tsx';
import { CodeBlock, Id, Time } from '../../ui/Values.tsx';

export function Details({ member }: { member: Member }) {
  const hasData = Object.keys(member.metadata).length > 0;
  return (
    <div class="stack">
      <dl class="facts">
        <Fact label="Id" value={<Id value={member.id} full always />} />
        {member.accounts.map(({ provider, id, username }) => (
          <Fact
            key={`${provider} ${id}`}
            label={provider}
            value={
              <>
                {username && <Text value={username} />}{' '}
                {username !== id && <Id value={id} full always />}
              </>
            }
          />
        ))}
        {member.tags.length > 0 && (
          <Fact label="Tags" value={<Text value={member.tags.join(', ')} />} />
        )}
        {member.note !== null && <Fact label="Note" value={<Text value={member.note} />} />}
        <Fact label="Joined" value={<Time at={member.createdAt} />} />
        <Fact label="Last active" value={<Time at={member.lastActiveAt} />} />
        <Fact label="Last edit" value={<Time at={member.updatedAt} />} />
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
