import { operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Fault, Verdict, Verification } from '../domain/rules/audit.ts';
import type { Ledger } from '../engine/ledger.ts';
import type { Integrity } from '../engine/store.ts';
import { followVerification } from '../engine/verification.ts';
import { define } from './command.ts';
import { counted, Progress } from './progress.ts';
import { allRealms, checkArguments, requireRealm, withLedger } from './with-ledger.ts';

type RealmVerdict = Verdict & { realmId: string; rebuilt?: true };

export const verify = define({
  summary: 'Checks journals, balances, statements and leaderboards.',
  notes:
    'Recomputes everything from the journal, of every realm if none is named, and with SQLite\n' +
    'checks the files as well. The service may be running. Exits with 1 if it finds a fault.\n' +
    'docs/journal.md describes what it detects.',
  rest: 'realm',
  options: {
    rebuild: { help: 'Rebuild statements and leaderboards that are wrong, and check them again.' },
  },
  example: 'npx realmkeep verify acme',
  async run({ rest, values, print }) {
    const named = [...new Set(rest)];
    for (const realmID of named) {
      const names = { '/path/realmID': `<realm> "${realmID}"` };
      checkArguments(operations.verifyRealm, { params: { realmID } }, names);
    }
    const { damage, verdicts } = await withLedger(async (ledger) => {
      using progress = new Progress();
      const realmIds = named.length > 0 ? await existing(ledger, named) : await all(ledger);
      progress.show('Checking the database files');
      const damage = damageIn(await ledger.housekeeping.checkIntegrity());
      return { damage, verdicts: await verdictsOn(ledger, realmIds, values.rebuild, progress) };
    });
    const lines = [...damage.map((text) => `FAULT: ${text}`), ...verdicts.map(line)];
    print({
      text: lines.join('\n') || 'There are no realms.',
      json: {
        ok: damage.length === 0 && verdicts.every(({ ok }) => ok),
        ...(damage.length > 0 && { damage }),
        realms: verdicts,
      },
    });
  },
});

/** Checked before the verification, which can take long. */
async function existing(ledger: Ledger, realmIds: string[]): Promise<string[]> {
  for (const realmId of realmIds) await requireRealm(ledger, realmId);
  return realmIds;
}

const all = async (ledger: Ledger): Promise<string[]> =>
  (await allRealms(ledger)).map(({ id }) => id);

function damageIn(integrity: Integrity | null): string[] {
  const { database = null, projections = null } = integrity ?? {};
  return [
    ...(database === null
      ? []
      : [`the database file is damaged: ${database}. Stop the service and restore a backup`]),
    ...(projections === null
      ? []
      : [`the file of the projections is damaged: ${projections}. "--rebuild" replaces it`]),
  ];
}

async function verdictsOn(
  ledger: Ledger,
  realmIds: string[],
  rebuild = false,
  progress: Progress,
): Promise<RealmVerdict[]> {
  const verdicts: RealmVerdict[] = [];
  for (const [index, realmId] of realmIds.entries()) {
    const title = `Verifying ${realmId} (realm ${index + 1} of ${realmIds.length})`;
    const check = () => followVerification(ledger, realmId, progressLine(progress, title));
    let verdict = await check();
    const isRebuilt = rebuild && verdict?.ok === false && verdict.fault.projection !== undefined;
    if (isRebuilt) {
      progress.show(`Rebuilding the statements and leaderboards of ${realmId}`);
      await ledger.housekeeping.rebuildProjections(realmId);
      while ((await ledger.housekeeping.project('all')) !== 'nothing');
      verdict = await check();
    }
    if (!verdict) throw new ProblemError('realm-not-found', { realmId });
    verdicts.push({ realmId, ...verdict, ...(isRebuilt && { rebuilt: true }) });
  }
  return verdicts;
}

/** Shows how far the check is, and how fast. */
function progressLine(progress: Progress, title: string): (check: Verification) => void {
  let startedAt = performance.now();
  let current: Verification['step'] = null;
  return ({ step, checked, total }) => {
    if (step !== current) startedAt = performance.now();
    current = step;
    const rate = Math.round((checked * 1_000) / Math.max(1, performance.now() - startedAt));
    const done = total === null ? '' : ` of ${total.toLocaleString('en')}`;
    const noun = step === 'journal' ? 'record' : 'row';
    const count = `${checked.toLocaleString('en')}${done || ` ${noun}s`}`;
    progress.show(`${title}: ${step ?? 'waiting'}, ${count}, ${counted(rate, noun)}/s`);
  };
}

function line({ realmId, rebuilt, ...verdict }: RealmVerdict): string {
  const records = counted(verdict.records, 'record');
  if (!verdict.ok) return `${realmId}: FAULT after ${records}: ${faultText(verdict.fault)}`;
  const { members, head } = verdict;
  const ok = rebuilt ? 'ok after a rebuild of its statements and leaderboards' : 'ok';
  return `${realmId}: ${ok}, ${records}, ${counted(members, 'member')}, head ${head}`;
}

export function faultText({ memberId, realmPointId, projection, detail }: Fault): string {
  const place = [
    ...(memberId === undefined ? [] : [`member ${memberId}`]),
    ...(realmPointId === undefined ? [] : [realmPointId]),
    ...(projection === undefined ? [] : [`projection ${projection}`]),
  ].join(', ');
  return place === '' ? detail : `${detail} (${place})`;
}
