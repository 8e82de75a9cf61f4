import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../../api/faults.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { writeCsv } from '../../text/csv.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { saveFile } from '../../ui/files.ts';

/** All members as a CSV file, which the import can read again. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { api, kinds } = useRealm();
  const [count, setCount] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const headers = ['id', 'name', 'handle', 'status', ...kinds.map(({ id }) => id), 'wallet'];
    const lines = [writeCsv([headers])];
    const run = async (): Promise<void> => {
      for await (const member of api.members({ limit: 500, signal: abort.signal })) {
        const { id, displayName, username, status, balances, wallets } = member;
        const points = kinds.map((kind) => balances[kind.id] ?? 0);
        const [wallet = null] = wallets;
        lines.push(writeCsv([[id, displayName, username, status, ...points, wallet]]));
        if (lines.length % 500 === 0) setCount(lines.length);
      }
      saveFile(`${api.id}-members.csv`, lines.join(''));
      toast({ text: `${plural(lines.length - 1, 'member')} exported` });
    };
    run()
      .catch((error: Error) => {
        if (!abort.signal.aborted) toast({ text: sentenceOf(error), isProblem: true });
      })
      .finally(() => {
        if (!abort.signal.aborted) onClose();
      });
    return () => abort.abort();
  }, [api, kinds, onClose]);
  return (
    <Dialog title="Exporting members" onClose={onClose}>
      <div class="body" role="status">
        {formatNumber(count)} so far…
      </div>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
      </footer>
    </Dialog>
  );
}
