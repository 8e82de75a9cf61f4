import type { Session } from '@realmkeep/client';
import { service } from '../api/service.ts';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { session, signOut } from '../state/session.ts';
import { toast } from '../state/toasts.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/States.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { Text } from '../ui/Text.tsx';
import { Time } from '../ui/Values.tsx';

/** Where the key is signed in; any of it can be ended from here. */
export function Sessions() {
  const { value, error, reload } = useAnswer('sessions', (signal) => service.sessions({ signal }));
  const end = async (one: Session): Promise<void> => {
    if (one.isCurrent) return signOut();
    try {
      await service.endSession(one.id);
      toast({ text: 'Session ended' });
    } catch (failure) {
      toast({ text: (failure as Error).message, isProblem: true });
    }
    reload();
  };
  return (
    <View title="Sessions">
      <div class="content">
        <p class="muted">
          Where <KeyName /> is signed in. A session ends after twelve hours in which nobody used it,
          and after seven days at the latest.
        </p>
        {error && <ProblemNote error={error} retry={reload} />}
        <div class="card">
          <Table
            label="Sessions"
            columns={columns((one) => void end(one))}
            rows={value?.items}
            rowKey={({ id }) => id}
            empty={null}
          />
        </div>
      </div>
    </View>
  );
}

function KeyName() {
  const name = session.value?.keyName;
  if (!name) return <>the root key</>;
  return (
    <>
      the key “<Text value={name} />”
    </>
  );
}

/** "Firefox on Linux" of what a browser says of itself. */
function browserName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown';
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent.includes(name));
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) =>
    userAgent.includes(name),
  );
  if (!browser) return userAgent.slice(0, 60);
  return `${browser === 'Edg' ? 'Edge' : browser}${system ? ` on ${system}` : ''}`;
}

const columns = (onEnd: (session: Session) => void): Column<Session>[] => [
  {
    id: 'browser',
    header: 'Browser',
    cell: ({ userAgent, isCurrent }) => (
      <span class="row" title={visibleText(userAgent ?? '')}>
        <Text value={browserName(userAgent)} />
        {isCurrent && <span class="badge accent">This one</span>}
      </span>
    ),
  },
  {
    id: 'created',
    header: 'Signed in',
    width: 144,
    from: 'medium',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 144,
    from: 'medium',
    cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
  },
  {
    id: 'end',
    header: '',
    width: 112,
    isNumber: true,
    cell: (one) => (
      <Button small onClick={() => onEnd(one)}>
        {one.isCurrent ? 'Sign out' : 'End'}
      </Button>
    ),
  },
];
