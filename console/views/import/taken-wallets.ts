import { useMemo } from 'preact/hooks';
import { checkWallets } from '../../api/wallet-owners.ts';
import { useAnswer } from '../../state/answers.ts';
import { useRealm } from '../../state/realm.ts';
import { fingerprintOf } from '../../text/fingerprint.ts';
import type { ReadRow } from '../../text/import.ts';

/** The rows, once the service has told which of their wallets belong to other members. */
export function useTakenWallets(rows: ReadRow[]): ReadRow[] {
  const { api } = useRealm();
  const wallets = useMemo(() => rows.flatMap(walletsOf), [rows]);
  const key = useMemo(() => `owners ${api.id} ${fingerprintOf(wallets.join(' '))}`, [wallets]);
  const { value: results } = useAnswer(key, (signal) => checkWallets(api, wallets, signal));
  return useMemo(() => {
    const owners = new Map(results?.map(({ wallet, memberId }) => [wallet, memberId]));
    return rows.map((row) => {
      const fault = faultOf(row, owners);
      return fault === null ? row : { ...row, fault };
    });
  }, [rows, results]);
}

/** The service refuses a row with faults anyway. */
const walletsOf = ({ fault, member }: ReadRow): readonly string[] =>
  fault === null ? (member.wallets ?? []) : [];

function faultOf(row: ReadRow, owners: ReadonlyMap<string, string | null>): string | null {
  for (const wallet of walletsOf(row)) {
    const owner = owners.get(wallet) ?? null;
    if (owner !== null && owner !== row.member.id) {
      return `the wallet ${wallet} belongs to member ${owner} already`;
    }
  }
  return null;
}
