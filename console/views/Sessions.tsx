import type { Passkey, Session } from '@realmkeep/client';
import { service } from '../api/service.ts';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { addOwnPasskey, usePasskeys } from '../state/passkeys.ts';
import { session, signOut } from '../state/session.ts';
import { toast, toastOf } from '../state/toasts.ts';
import { browserName } from '../text/people.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Intro } from '../ui/Intro.tsx';
import { Empty, ProblemNote } from '../ui/States.tsx';
import { useSubmit } from '../ui/submit.ts';
import { type Column, Table } from '../ui/Table.tsx';
import { Text } from '../ui/Text.tsx';
import { timeColumn } from '../ui/time-column.tsx';

/** Where the reader is signed in; any of it can be ended from here. */
export function Sessions() {
  return (
    <View title="Sessions" class="content">
      {session.value?.person && <Passkeys />}
      <p class="muted">
        Where <Who /> signed in. A session ends after twelve hours in which nobody used it, and
        after seven days at the latest.
      </p>
      <div class="card">
        <SessionTable />
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
    await toastOf(service.endSession(one.id), 'Session ended');
    reload();
  };
  return (
    <>
      {error && <ProblemNote error={error} retry={reload} />}
      <Table
        label="Sessions"
        columns={sessionColumns((one) => void end(one))}
        rows={value?.items}
        rowKey={({ id }) => id}
        empty={personId ? <p class="muted">Nowhere at the moment.</p> : null}
      />
    </>
  );
}

const sessionColumns = (onEnd: (session: Session) => void): Column<Session>[] => [
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

/** What the reader signs in with. */
function Passkeys() {
  const { value, error, reload } = useAnswer('passkeys', (signal) => service.passkeys({ signal }));
  const { isHere, origin } = usePasskeys();
  const adding = useSubmit(async () => {
    await addOwnPasskey();
    toast({ text: 'Passkey added' });
    reload();
  });
  const remove = ({ id }: Passkey): Promise<void> =>
    toastOf(service.removePasskey(id), 'Passkey removed').then(reload);
  const problem = error ?? adding.error;
  return (
    <>
      <Intro
        note={
          isHere === false ? (
            <>
              Passkeys work at <a href={origin}>{origin}</a> alone.
            </>
          ) : (
            'A passkey signs you in by one touch. Add one for each of your devices.'
          )
        }
        action={
          isHere && (
            <Button tone="primary" icon="plus" busy={adding.busy} onClick={adding.submit}>
              Add a passkey
            </Button>
          )
        }
      />
      {problem && <ProblemNote error={problem} retry={error ? reload : adding.submit} />}
      <div class="card">
        <Table
          label="Passkeys"
          columns={passkeyColumns((value?.items.length ?? 0) > 1, (one) => void remove(one))}
          rows={value?.items}
          rowKey={({ id }) => id}
          empty={
            <Empty icon="passkey" title="No passkey yet">
              <p>Until you add one, only a new link signs you in again.</p>
            </Empty>
          }
        />
      </div>
    </>
  );
}

/** The last one stays. */
const passkeyColumns = (
  mayRemove: boolean,
  onRemove: (passkey: Passkey) => void,
): Column<Passkey>[] => [
  {
    id: 'device',
    header: 'Passkey',
    cell: ({ userAgent }) => <Text value={`Added with ${browserName(userAgent)}`} />,
  },
  timeColumn('created', 'Added', ({ createdAt }) => createdAt),
  timeColumn('used', 'Last used', ({ lastUsedAt }) => lastUsedAt),
  {
    id: 'remove',
    header: '',
    width: 112,
    isNumber: true,
    cell: (one) =>
      mayRemove && (
        <Button small onClick={() => onRemove(one)}>
          Remove
        </Button>
      ),
  },
];
