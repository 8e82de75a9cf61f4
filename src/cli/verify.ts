import { operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Verdict, Verification } from '../domain/rules/audit.ts';
import type { Fault } from '../domain/rules/comparison.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { followVerification } from '../ledger/ledger.ts';
import { refuseInUse } from '../storage/storage.ts';
import { define } from './command.ts';
import { counted, grouped, Progress } from './terminal.ts';
import {
  allRealms,
  checkArguments,
  existingDatabase,
  requireRealm,
  withLedger,
} from './with-ledger.ts';

const RESTORE = 'Stop the service and restore a backup';

type RealmVerdict = Verdict & { realmId: string; rebuilt?: true };

export const verify = define({
  summary: 'Checks journals, balances, statements and leaderboards.',
  notes:
    'Recomputes everything from the journal, of every realm if none is named, and with SQLite\n' +
    'checks the file as well. The service may be running. Exits with 1 if it finds a fault.\n' +
    'docs/journal.md describes what it detects, and what to do then.',
  rest: 'realm',
  options: {
    rebuild: {
      help: 'Derive statements and leaderboards that are wrong again. Stop the service first.',
    },
  },
  example: 'npx realmkeep verify acme',
  async run({ rest, values: { rebuild = false }, print }) {
    const named = [...new Set(rest)];
    for (const realmID of named) {
      const names = { '/path/realmID': `<realm> "${realmID}"` };
      checkArguments(operations.verifyRealm, { params: { realmID } }, names);
    }
    if (rebuild) await refuseInUse(await existingDatabase());
    const { damage, verdicts } = await withLedger(async (ledger) => {
      using progress = new Progress();
      // Checked before the verification, which can take long.
      for (const realmId of named) await requireRealm(ledger, realmId);
      const realmIds = named.length > 0 ? named : (await allRealms(ledger)).map(({ id }) => id);
      progress.show('Checking the database file');
      const fault = (await ledger.housekeeping.checkIntegrity())?.fault ?? null;
      const damage = fault === null ? [] : [`the database file is damaged: ${fault}. ${RESTORE}`];
      return { damage, verdicts: await verdictsOn(ledger, realmIds, rebuild, progress) };
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

async function verdictsOn(
  ledger: Ledger,
  realmIds: string[],
  rebuild: boolean,
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
      verdict = await check();
    }
    if (!verdict) throw new ProblemError('realm-not-found', { realmId });
    verdicts.push({ realmId, ...verdict, ...(isRebuilt && { rebuilt: true }) });
  }
  return verdicts;
}

const progressLine =
  (progress: Progress, title: string) =>
  ({ step, checked, total }: Verification): void => {
    const done = total === null ? '' : ` of ${grouped(total)}`;
    progress.show(`${title}: ${step ?? 'waiting'}, ${grouped(checked)}${done}`);
  };

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
    ...(projection === undefined ? [] : [`table ${projection}`]),
  ].join(', ');
  return place === '' ? detail : `${detail} (${place})`;
}
