import { operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Realm } from '../domain/model.ts';
import type { Fault, Verdict } from '../domain/rules/audit.ts';
import type { Ledger } from '../engine/ledger.ts';
import { define } from './command.ts';
import { counted, Progress } from './progress.ts';
import { checkArguments, pagesOf, requireRealm, withLedger } from './with-ledger.ts';

/** How often progress is shown. */
const PROGRESS_MS = 200;

type RealmVerdict = Verdict & { realmId: string };

export const verify = define({
  summary: "Checks realms' hash chains and every balance.",
  notes:
    'Recomputes all balances from the journal, of every realm if none is named. The service may\n' +
    'be running. Exits with 1 if it finds a fault. docs/journal.md describes what it detects.',
  rest: 'realm',
  example: 'realmkeep verify acme',
  async run({ rest, print }) {
    const named = [...new Set(rest)];
    for (const realmID of named) {
      const names = { '/path/realmID': `<realm> "${realmID}"` };
      checkArguments(operations.verifyRealm, { params: { realmID } }, names);
    }
    const verdicts = await withLedger(async (ledger) =>
      verdictsOn(ledger, named.length > 0 ? await existing(ledger, named) : await all(ledger)),
    );
    print({
      text: verdicts.map(line).join('\n') || 'There are no realms.',
      json: { ok: verdicts.every(({ ok }) => ok), realms: verdicts },
    });
  },
});

/** Checked before the verification, which can take long. */
async function existing(ledger: Ledger, realmIds: string[]): Promise<string[]> {
  for (const realmId of realmIds) await requireRealm(ledger, realmId);
  return realmIds;
}

async function all(ledger: Ledger): Promise<string[]> {
  const pages = pagesOf<Realm>((last, limit) =>
    ledger.query('realms', { after: last?.id ?? null, limit }),
  );
  return (await Array.fromAsync(pages)).flat().map(({ id }) => id);
}

async function verdictsOn(ledger: Ledger, realmIds: string[]): Promise<RealmVerdict[]> {
  using progress = new Progress();
  const verdicts: RealmVerdict[] = [];
  let doing = '';
  using _timer = setInterval(() => progress.show(doing), PROGRESS_MS);
  for (const [index, realmId] of realmIds.entries()) {
    const records = await ledger.query('lastSeq', { realmId });
    const place = `realm ${index + 1} of ${realmIds.length}`;
    doing = `Verifying ${realmId} (${place}, ${counted(records, 'record')})`;
    const verdict = await ledger.query('verify', { realmId });
    if (!verdict) throw new ProblemError('realm-not-found', { realmId });
    verdicts.push({ realmId, ...verdict });
  }
  return verdicts;
}

function line({ realmId, ...verdict }: RealmVerdict): string {
  const records = counted(verdict.records, 'record');
  if (!verdict.ok) return `${realmId}: FAULT after ${records}: ${faultText(verdict.fault)}`;
  const { members, head } = verdict;
  return `${realmId}: ok, ${records}, ${counted(members, 'member')}, head ${head}`;
}

export function faultText({ memberId, realmPointId, detail }: Fault): string {
  return memberId === undefined ? detail : `${detail} (member ${memberId}, ${realmPointId})`;
}
