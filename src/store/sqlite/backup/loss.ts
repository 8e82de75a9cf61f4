import type { DatabaseSync } from 'node:sqlite';

/** What a database has of a realm beyond a backup. */
export interface Loss {
  realmId: string;
  records: number;
  /** The number and the instant of the first of them; null if the record itself is gone. */
  from: number;
  since: string | null;
  /** The members whose erasure is among them: in the backup they are not erased. */
  erased: string[];
}

/** The records of each realm that the present database has and the backup lacks. */
export function lossesBetween(present: DatabaseSync, backup: DatabaseSync): Loss[] {
  const realms = present.prepare('SELECT realm_id, seq FROM realms WHERE deleted_at IS NULL');
  const first = present.prepare('SELECT at FROM journal WHERE realm_id = ? AND seq = ?');
  const erased = present.prepare(
    `SELECT CAST(member_id AS TEXT) AS id FROM erasures WHERE realm_id = ? AND seq >= ?
     GROUP BY member_id`,
  );
  const [hashHere, hashThere] = [hashesOf(present), hashesOf(backup)];
  return realms.all().flatMap(({ realm_id, seq }) => {
    const realmId = String(realm_id);
    const last = Number(seq);
    const common = lastCommon(
      last,
      (at) => hashHere(realmId, at),
      (at) => hashThere(realmId, at),
    );
    if (common === last) return [];
    const from = common + 1;
    const at = first.get(realmId, from)?.at;
    const since = at === undefined ? null : new Date(Number(at)).toISOString();
    const members = erased.all(realmId, from).map(({ id }) => String(id));
    return [{ realmId, records: last - common, from, since, erased: members }];
  });
}

type HashAt<Arguments extends unknown[]> = (...args: Arguments) => string | null;

function hashesOf(db: DatabaseSync): HashAt<[realmId: string, seq: number]> {
  const hash = db.prepare('SELECT hex(hash) AS hash FROM journal WHERE realm_id = ? AND seq = ?');
  return (realmId, seq) => (hash.get(realmId, seq)?.hash as string | undefined) ?? null;
}

/** Journals that have one hash in common have all before it in common: a binary search finds it. */
function lastCommon(last: number, here: HashAt<[number]>, there: HashAt<[number]>): number {
  let [common, different] = [0, last + 1];
  while (different - common > 1) {
    const middle = Math.floor((common + different) / 2);
    const found = there(middle);
    if (found !== null && found === here(middle)) common = middle;
    else different = middle;
  }
  return common;
}
