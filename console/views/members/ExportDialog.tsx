import type { Member } from '@realmkeep/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { MemberExport } from '../../api/member-export.ts';
import type { Source } from '../../state/paged-list.ts';
import { useRealm } from '../../state/realm.ts';
import { useRetry } from '../../state/reconnect.ts';
import { toast } from '../../state/toasts.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { saveCsv } from '../../ui/files.ts';
import { ProblemNote } from '../../ui/States.tsx';

interface ExportProps {
  /** The list shows only some of them, and the file has the same. */
  isFiltered: boolean;
  ask: Source<Member>['ask'];
  onClose: () => void;
}

/** The members of the list as a file like that of the command line: either import reads it. */
export function ExportDialog({ isFiltered, ask, onClose }: ExportProps) {
  const { api, kinds } = useRealm();
  // Its columns are those of the beginning, whatever kinds of points are added meanwhile.
  const [file] = useState(() => new MemberExport(ask, kinds));
  const [count, setCount] = useState(0);
  const [error, setError] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  const resume = useCallback(() => setAttempt((before) => before + 1), []);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const abort = new AbortController();
    const finish = (): void => {
      saveCsv(`${api.id}-members.csv`, file.lines);
      toast({ text: `${plural(file.count, 'member')} exported` });
      close.current();
    };
    setError(undefined);
    file
      .run(abort.signal, () => setCount(file.count))
      .then(finish)
      .catch((failure: Error) => !abort.signal.aborted && setError(failure));
    return () => abort.abort();
  }, [api, file, attempt]);
  useRetry(error, resume);
  return (
    <Dialog title="Exporting members" onClose={onClose}>
      <div class="body">
        {isFiltered && <p>The file has the members that meet the search and the filters.</p>}
        <p>{formatNumber(count)} so far…</p>
        {error && <ProblemNote error={error} retry={resume} />}
      </div>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
      </footer>
    </Dialog>
  );
}
