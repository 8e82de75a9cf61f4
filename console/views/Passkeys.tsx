import type { Passkey } from '@realmkeep/client';
import { service } from '../api/service.ts';
import { useAnswer } from '../state/answers.ts';
import { addOwnPasskey, usePasskeys } from '../state/passkeys.ts';
import { toast } from '../state/toasts.ts';
import { browserName } from '../text/people.ts';
import { Button } from '../ui/Button.tsx';
import { Empty, ProblemNote } from '../ui/States.tsx';
import { useSubmit } from '../ui/submit.ts';
import { type Column, Table } from '../ui/Table.tsx';
import { Text } from '../ui/Text.tsx';
import { timeColumn } from '../ui/time-column.tsx';

/** What the reader signs in with. */
export function Passkeys() {
  const { value, error, reload } = useAnswer('passkeys', (signal) => service.passkeys({ signal }));
  const { isHere, origin } = usePasskeys();
  const adding = useSubmit(async () => {
    await addOwnPasskey();
    toast({ text: 'Passkey added' });
    reload();
  });
  const remove = async ({ id }: Passkey): Promise<void> => {
    try {
      await service.removePasskey(id);
      toast({ text: 'Passkey removed' });
    } catch (failure) {
      toast({ text: (failure as Error).message, isProblem: true });
    }
    reload();
  };
  const problem = error ?? adding.error;
  return (
    <>
      <div class="toolbar">
        <p class="muted">
          {isHere === false ? (
            <>
              Passkeys work at <a href={origin}>{origin}</a> alone.
            </>
          ) : (
            'A passkey signs you in by one touch. Add one for each of your devices.'
          )}
        </p>
        {isHere && (
          <div class="push">
            <Button
              tone="primary"
              icon="plus"
              busy={adding.busy}
              onClick={() => void adding.submit()}
            >
              Add a passkey
            </Button>
          </div>
        )}
      </div>
      {problem && <ProblemNote error={problem} retry={reload} />}
      <div class="card">
        <Table
          label="Passkeys"
          columns={columns((value?.items.length ?? 0) > 1, (one) => void remove(one))}
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
const columns = (mayRemove: boolean, onRemove: (passkey: Passkey) => void): Column<Passkey>[] => [
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
