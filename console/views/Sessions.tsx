import type { Session } from '@realmkeep/client';
import { service } from '../api/service.ts';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { session, signOut } from '../state/session.ts';
import { toast } from '../state/toasts.ts';
import { browserName } from '../text/people.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/States.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { Text } from '../ui/Text.tsx';
import { timeColumn } from '../ui/time-column.tsx';
import { Passkeys } from './Passkeys.tsx';

/** Where the reader is signed in; any of it can be ended from here. */
export function Sessions() {
  return (
    <View title="Sessions">
      <div class="content">
        {session.value?.person && <Passkeys />}
        <p class="muted">
          Where <Who /> signed in. A session ends after twelve hours in which nobody used it, and
          after seven days at the latest.
        </p>
        <div class="card">
          <SessionTable />
        </div>
      </div>
    </View>
  );
}

function Who() {
  const { person, keyName } = session.value ?? {};
  if (person) return <>you are</>;
  if (!keyName) return <>the root key is</>;
  return (
    <>
      the key “<Text value={keyName} />” is
    </>
  );
}

/** The sessions of the reader, or of a person. */
export function SessionTable({ personId }: { personId?: string }) {
  const { value, error, reload } = useAnswer(`sessions ${personId ?? ''}`, (signal) =>
    service.sessions({ ...(personId && { personId }), signal }),
  );
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
    <>
      {error && <ProblemNote error={error} retry={reload} />}
      <Table
        label="Sessions"
        columns={columns((one) => void end(one))}
        rows={value?.items}
        rowKey={({ id }) => id}
        empty={personId ? <p class="muted">Nowhere at the moment.</p> : null}
      />
    </>
  );
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
  timeColumn('created', 'Signed in', ({ createdAt }) => createdAt),
  timeColumn('used', 'Last used', ({ lastUsedAt }) => lastUsedAt),
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
