import pg from 'pg';

/** Where the servers of this run find the PostgreSQL that they share. */
const ADDRESS = 'BENCH_POSTGRES_URL';

export function sharePostgres(url: string): void {
  process.env[ADDRESS] = url;
}

/** Makes a database of its own for a server; answers its URL. */
export async function databaseFor(name: string): Promise<string> {
  const shared = process.env[ADDRESS];
  if (!shared) throw new Error('this server needs the PostgreSQL of the benchmark');
  const client = new pg.Client(shared);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(shared);
  url.pathname = `/${name}`;
  return url.href;
}
