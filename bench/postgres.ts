import pg from 'pg';

/** The environment variable with the URL of the PostgreSQL that the servers share. */
const ADDRESS = 'BENCH_POSTGRES_URL';

export function sharePostgres(url: string): void {
  process.env[ADDRESS] = url;
}

/** Creates a database for a server and returns its URL. */
export async function databaseFor(name: string): Promise<string> {
  const shared = process.env[ADDRESS];
  if (!shared) throw new Error('this server needs the PostgreSQL of the benchmark');
  const client = new pg.Client(shared);
  await client.connect();
  const database = `${name}_${process.pid}`;
  await client.query(`CREATE DATABASE ${database}`);
  await client.end();
  const url = new URL(shared);
  url.pathname = `/${database}`;
  return url.href;
}
