import { type Sql, type Statement, unlisted } from '../statement.ts';

const INSERT =
  /^(INSERT INTO (?!realms|key_directory)[^)]+\)) SELECT \$1, (?!.*WHERE)(.+) FROM (.+?)( ON.+)?$/s;
const DELETE_BY_KEY =
  /^DELETE FROM (\w+) WHERE ctid .+ AS gone\(key\) .+ realm_id = \$1 AND (\w+) = gone\.key .+$/s;
const DELETE_BY_TWO_KEYS =
  /^DELETE FROM (\w+) .+ (unnest\(.+ AS gone\(\w+, id\)) .+ \$1 AND (.+) AND (.+) OFFSET.+$/s;

/** Texts that a cluster needs in place of the plain ones; they mean the same. */
const RULES: readonly [plain: RegExp, onCluster: string][] = [
  // Citus executes an INSERT that reads no table piece by piece, at nearly twice the cost. The
  // realm's own row routes the whole statement to the server that stores the realm. There is no
  // such row for `realms` itself and for `key_directory`, which every server stores in full.
  [
    INSERT,
    '$1 SELECT realms.realm_id, $2 FROM realms CROSS JOIN $3\n     WHERE realms.realm_id = $$1$4',
  ],
  // A row's ctid means nothing on another server, so rows are deleted by their keys.
  [DELETE_BY_KEY, 'DELETE FROM $1 WHERE realm_id = $$1 AND $2 = ANY ($$2::text[])'],
  [DELETE_BY_TWO_KEYS, 'DELETE FROM $1 s USING $2\n     WHERE s.realm_id = $$1 AND s.$3 AND s.$4'],
];

const rewritten = new WeakMap<Statement<unknown, Sql[]>, Statement<unknown, Sql[]>>();

/** The statement as it is sent to a cluster: itself, unless a rule applies to it. */
export function forCluster(plain: Statement<unknown, Sql[]>): Statement<unknown, Sql[]> {
  const known = rewritten.get(plain);
  if (known) return known;
  const rule = RULES.find(([pattern]) => pattern.test(plain.text));
  const own = rule ? unlisted(plain.text.replace(...rule)) : plain;
  rewritten.set(plain, own);
  return own;
}
