import { operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Fault, Verdict } from '../domain/rules/audit.ts';
import type { Ledger } from '../engine/ledger.ts';
import { define } from './command.ts';
import { counted, Progress } from './journal/progress.ts';
import { checkArguments, withLedger } from './with-ledger.ts';

const PAGE = 500;
/** How often a long check is asked how it stands. */
const LOOK_MS = 200;

type RealmVerdict = Verdict & { realmId: string };

export const verify = define({
  summary: 'Checks the books of realms: the hash chain, and every balance.',
  notes:
    'Recomputes balances from the journal, of all realms if none is named, also while a server\n' +
    'runs. It ends with 1 if there is a fault. docs/journal.md tells what it catches.',
  args: ['realm...'],
  options: {},
  example: 'realmkeep verify acme',
  async run({ args, say }) {
    const named = [...new Set(Object.values(args))];
    for (const realmID of named) {
      const names = { '/path/realmID': `<realm> "${realmID}"` };
      checkArguments(operations.verifyRealm, { params: { realmID } }, names);
    }
    const verdicts = await withLedger(async (ledger) =>
      verdictsOn(ledger, named.length > 0 ? await known(ledger, named) : await all(ledger)),
    );
    say({
      text: verdicts.map(line).join('\n') || 'There are no realms yet.',
      json: { ok: verdicts.every(({ ok }) => ok), realms: verdicts },
    });
  },
});

/** Before the work begins, which may be long. */
async function known(ledger: Ledger, realmIds: string[]): Promise<string[]> {
  for (const realmId of realmIds) await requireRealm(realmId, ledger.query('realm', { realmId }));
  return realmIds;
}

async function requireRealm<T>(realmId: string, answer: Promise<T | null>): Promise<T> {
  const found = await answer;
  if (found === null) throw new ProblemError('realm-not-found', { realmId });
  return found;
}

async function all(ledger: Ledger): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await ledger.query('realms', { after: ids.at(-1) ?? null, limit: PAGE });
    ids.push(...page.map(({ id }) => id));
    if (page.length < PAGE) return ids;
  }
}

async function verdictsOn(ledger: Ledger, realmIds: string[]): Promise<RealmVerdict[]> {
  const progress = new Progress();
  const verdicts: RealmVerdict[] = [];
  let doing = '';
  const timer = setInterval(() => progress.tell(doing), LOOK_MS);
  try {
    for (const [index, realmId] of realmIds.entries()) {
      const records = await ledger.query('lastSeq', { realmId });
      const place = `realm ${index + 1} of ${realmIds.length}`;
      doing = `Verifying ${realmId} (${place}, ${counted(records, 'record')})`;
      const verdict = await requireRealm(realmId, ledger.query('verify', { realmId }));
      verdicts.push({ realmId, ...verdict });
    }
    return verdicts;
  } finally {
    clearInterval(timer);
    progress.end();
  }
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
