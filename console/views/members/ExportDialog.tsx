import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../../api/faults.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { memberFile } from '../../text/csv.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { saveCsv } from '../../ui/files.ts';

/** All members as a CSV file like that of the command line: either import reads it. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { api, kinds } = useRealm();
  const [count, setCount] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      const { header, lineOf } = memberFile(kinds);
      const lines = [header];
      for await (const member of api.members({ limit: 500, signal: abort.signal })) {
        lines.push(lineOf(member));
        if (lines.length % 500 === 0) setCount(lines.length);
      }
      saveCsv(`${api.id}-members.csv`, lines);
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
