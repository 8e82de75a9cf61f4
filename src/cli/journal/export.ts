import { OperatorError } from '../../config/operator-error.ts';
import { integer } from '../../config/parsers.ts';
import { operations } from '../../contract/operations.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { define, parseOption } from '../command.ts';
import { exportTo, type Outlet } from '../output.ts';
import { counted } from '../terminal.ts';
import { checkArguments, pagesOf, requireRealm } from '../with-ledger.ts';
import { exportLine } from './export-file.ts';

interface Exported {
  records: number;
  /** The hash of the last record. */
  head: string;
}

export const exportJournal = define({
  summary: "Writes a realm's journal as lines of JSON.",
  notes:
    'Writes one line per record, in order, with its hash; docs/journal.md has the format. The\n' +
    'lines go to stdout by default, with or without --json.',
  args: ['realm'],
  options: {
    from: { value: '<seq>', help: 'First record to write. Default: 1.' },
    to: { value: '<file>', help: 'Write to a new file instead of stdout.' },
  },
  example: 'npx realmkeep journal export acme --to acme.ndjson',
  async run({ args: { realm }, values, print }) {
    const { from: typed = '1', to } = values;
    const from = parseOption('--from', typed, integer(1, Number.MAX_SAFE_INTEGER));
    checkArguments(operations.listEvents, { params: { realmID: realm } });
    const { records, head } = await exportTo(to, (ledger, outlet) =>
      copy(ledger, realm, from, outlet),
    );
    if (to === undefined) return;
    print({
      text: `Wrote ${counted(records, 'record')} of realm ${realm}, head ${head}`,
      json: { realmId: realm, from, records, head, file: to },
    });
  },
});

async function copy(
  ledger: Ledger,
  realmId: string,
  from: number,
  outlet: Outlet,
): Promise<Exported> {
  await requireRealm(ledger, realmId);
  const end = await ledger.query('lastSeq', { realmId });
  if (from > end) {
    const fault = `There is no record ${from}: the journal of realm ${realmId} ends with ${end}.`;
    throw new OperatorError('no-such-record', fault);
  }
  const exported: Exported = { records: 0, head: '' };
  const pages = pagesOf<JournalRecord>((last, limit) =>
    ledger.query('records', { realmId, after: last?.seq ?? from - 1, limit }),
  );
  for await (const page of pages) {
    const last = page.at(-1);
    if (!last) break;
    await outlet.write(page.map((record) => `${exportLine(realmId, record)}\n`).join(''));
    exported.records += page.length;
    exported.head = last.hash;
    outlet.show(`Exporting ${realmId}: record ${last.seq} of ${Math.max(end, last.seq)}`);
  }
  return exported;
}
