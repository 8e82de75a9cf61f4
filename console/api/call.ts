import { signal } from '@preact/signals';
import { Problem, Unreachable } from './problem.ts';

/** False while the service cannot be reached. */
export const reachable = signal(true);
/** Counts the calls that found no session any more. */
export const signedOut = signal(0);

export interface CallOptions {
  query?: object;
  body?: unknown;
  /** The same for all attempts at one change: it takes effect once. */
  idempotencyKey?: string;
  key?: string;
  signal?: AbortSignal;
}

export async function call<Answer>(
  method: string,
  path: string,
  { query = {}, body, idempotencyKey, key, signal: abort }: CallOptions = {},
): Promise<Answer> {
  const headers: Record<string, string> = { 'x-realmkeep-console': '1' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  if (key) headers.authorization = `Bearer ${key}`;
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const url = `/api/v4${path}${given.length > 0 ? `?${search}` : ''}`;
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (abort) init.signal = abort;
  const response = await send(url, init);
  const text = await response.text();
  const answer = text === '' ? null : JSON.parse(text);
  if (response.ok) return answer as Answer;
  if (response.status === 401 && !key) signedOut.value += 1;
  throw new Problem(response.status, answer ?? {});
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    reachable.value = true;
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    reachable.value = false;
    throw new Unreachable();
  }
}
