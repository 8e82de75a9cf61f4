/** Whether the realm of a row is not deleted, for the look-ups that are not made in a realm. */
export const hasRealm = (table: string): string =>
  `EXISTS (SELECT 1 FROM realms r WHERE r.realm_id = ${table}.realm_id AND r.deleted_at IS NULL)`;
