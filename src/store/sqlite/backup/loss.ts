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
  /** The keys whose revocation or rotation is among them: in the backup they are valid. */
  revokedKeys: string[];
}

/** How a database differs from a backup that is to replace it. */
export interface Difference {
  /** The records of each realm that the backup lacks. */
  lost: Loss[];
  /** The realms of the backup that the database has deleted, and not yet removed. */
  deletedRealms: string[];
  /**
   * Those that the database does not know: it may be older than the backup, or have removed them
   * without a trace.
   */
  unknownRealms: string[];
}

export const NO_DIFFERENCE: Difference = { lost: [], deletedRealms: [], unknownRealms: [] };

export function differenceBetween(current: DatabaseSync, backup: DatabaseSync): Difference {
  const [here, there] = [hashesOf(current), hashesOf(backup)];
  const realms = endsOf(current);
  const lossOf = lossIn(current, keysBack(current, backup));
  const lost = [...realms].flatMap(([realmId, last]) => {
    const common = lastCommon(
      last,
      (at) => here(realmId, at),
      (at) => there(realmId, at),
    );
    return common === last ? [] : [lossOf(realmId, common + 1, last)];
  });
  // A realm may have been created anew with the id of a deleted one; a first record may be damaged.
  const isOther = (realmId: string) =>
    here(realmId, 1) !== null && here(realmId, 1) !== there(realmId, 1);
  const absent = [...endsOf(backup).keys()].filter(
    (realmId) => !realms.has(realmId) || isOther(realmId),
  );
  const deleted = current.prepare(
    'SELECT 1 FROM realms WHERE realm_id = ? AND deleted_at IS NOT NULL',
  );
  const isDeleted = (realmId: string) => deleted.get(realmId) !== undefined;
  return {
    lost,
    deletedRealms: absent.filter((realmId) => isDeleted(realmId)),
    unknownRealms: absent.filter((realmId) => !isDeleted(realmId)),
  };
}

/** The number of the last record of each realm. */
function endsOf(db: DatabaseSync): Map<string, number> {
  const realms = db.prepare('SELECT realm_id, seq FROM realms WHERE deleted_at IS NULL');
  return new Map(realms.all().map(({ realm_id, seq }) => [String(realm_id), Number(seq)]));
}

function lossIn(current: DatabaseSync, revokedKeys: (realmId: string) => string[]) {
  const first = current.prepare('SELECT at FROM journal WHERE realm_id = ? AND seq = ?');
  const erased = current.prepare(
    `SELECT CAST(member_id AS TEXT) AS id FROM erasures WHERE realm_id = ? AND seq >= ?
     GROUP BY member_id`,
  );
  return (realmId: string, from: number, last: number): Loss => {
    const at = first.get(realmId, from)?.at;
    return {
      realmId,
      records: last - from + 1,
      from,
      since: at === undefined ? null : new Date(Number(at)).toISOString(),
      erased: erased.all(realmId, from).map(({ id }) => String(id)),
      revokedKeys: revokedKeys(realmId),
    };
  };
}

/** The keys of a realm that are revoked or replaced, but valid by the backup. */
function keysBack(current: DatabaseSync, backup: DatabaseSync): (realmId: string) => string[] {
  const ended = current.prepare(
    `SELECT key_id FROM api_keys
     WHERE realm_id = ? AND (revoked_at IS NOT NULL OR replaced_by IS NOT NULL)`,
  );
  const valid = backup.prepare(
    `SELECT 1 FROM api_keys WHERE realm_id = ? AND key_id = ? AND revoked_at IS NULL
       AND replaced_by IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
  );
  return (realmId) =>
    ended
      .all(realmId)
      .map(({ key_id }) => String(key_id))
      .filter((keyId) => valid.get(realmId, keyId, Date.now()) !== undefined);
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
