/**
 * The tables of the books, with their columns as `name:type`. What statements and boards are read
 * from is not among them: it follows from the journal, wherever that is.
 */
export const tables: Record<string, string> = {
  service: 'name value',
  realms:
    'realm_id name settings seq:bigint head:bytea last_at:bigint next_member_id:id ' +
    'created_at:bigint updated_at:bigint',
  point_kinds:
    'realm_id realm_point_id name symbol is_default:smallint is_transferable:smallint ' +
    'minimum_balance:bigint maximum_balance:bigint',
  assets: 'realm_id asset_id chain standard contract token_id symbol',
  api_keys:
    'realm_id key_id name scopes secret_hash created_at:bigint expires_at:bigint ' +
    'revoked_at:bigint replaced_by last_used_at:bigint',
  members:
    'realm_id member_id:id username display_name status metadata search created_at:bigint ' +
    'updated_at:bigint',
  accounts: 'realm_id account_key member_id:id provider account_id username',
  wallets:
    'realm_id wallet_key member_id:id chain address is_primary:smallint verified_at:bigint ' +
    'verified_on linked_at:bigint',
  challenges: 'realm_id nonce member_id:id wallet_key message expires_at:bigint used_at:bigint',
  balances: 'realm_id member_id:id realm_point_id balance:bigint open_holds:bigint',
  holds:
    'realm_id hold_id:bigint member_id:id realm_point_id tokens:bigint captured:bigint status ' +
    'description created_at:bigint expires_at:bigint',
  reversed: 'realm_id seq:bigint tokens:bigint by_seq:bigint',
  idempotency_keys: 'realm_id idempotency_key fingerprint at:bigint seq:bigint answer',
  journal: 'realm_id seq:bigint type at:bigint actor data hash:bytea',
};

export interface Column {
  name: string;
  type: string;
}

export const columnsOf = (table: string): Column[] =>
  (tables[table] ?? '').split(' ').map((said) => {
    const [name = '', type = 'text'] = said.split(':');
    return { name, type };
  });

/** A row of SQLite as values that travel: ids and bytes as text. */
export const selectOf = (table: string): string => {
  const columns = columnsOf(table).map(({ name, type }) => {
    if (type === 'id') return `CAST(${name} AS TEXT)`;
    return type === 'bytea' ? `hex(${name})` : name;
  });
  return `SELECT ${columns.join(', ')} FROM ${table}`;
};

export const insertOf = (table: string): string => {
  const columns = columnsOf(table);
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, index) => {
    const sent = { id: 'bigint', bytea: 'text' }[type] ?? type;
    return `$${index + 1}::${sent}[]`;
  });
  const values = columns.map(({ name, type }) =>
    type === 'bytea' ? `decode(new.${name}, 'hex')` : `new.${name}`,
  );
  return `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')}
    FROM unnest(${arrays.join(', ')}) AS new(${names})`;
};
