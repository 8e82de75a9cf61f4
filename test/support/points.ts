import type { Reply, Sent, TestRealm } from './service.ts';

/** Short names for the calls that move, hold and reverse points. */
export const add = (realm: TestRealm, id: string, tokens: number, more: object = {}) =>
  realm.send('PATCH', `/members/${id}/tokenBalance`, { body: { tokens, ...more } });

export const give = (
  realm: TestRealm,
  id: string,
  recipientId: string,
  tokens: number,
  more: object = {},
) => realm.send('PATCH', `/members/${id}/transfer`, { body: { recipientId, tokens, ...more } });

export const hold = (realm: TestRealm, id: string, tokens: number, more: object = {}) =>
  realm.send('POST', `/members/${id}/holds`, { body: { tokens, ...more } });

export const capture = (realm: TestRealm, holdId: number, body: object = {}, sent: Sent = {}) =>
  realm.send('POST', `/holds/${holdId}/capture`, { body, ...sent });

export const release = (realm: TestRealm, holdId: number) =>
  realm.send('POST', `/holds/${holdId}/release`);

export const reverse = (realm: TestRealm, seq: number, body: object = {}, sent: Sent = {}) =>
  realm.send('POST', `/transactions/${seq}/reversal`, { body, ...sent });

/** Changes points by as many calls as it takes. */
export async function changeMany(realm: TestRealm, entries: object[], atOnce = 1_000) {
  for (let from = 0; from < entries.length; from += atOnce) {
    const body = { entries: entries.slice(from, from + atOnce) };
    await realm.expect(200, 'PATCH', '/members/tokenBalance', { body });
  }
}

/** Creates a kind of points. */
export const newKind = (realm: TestRealm, id: string, more: object = {}) =>
  realm.expect(201, 'POST', '/points', { body: { id, name: id, ...more } });

/** The body of an answer that must be successful. */
export async function done(call: Promise<Reply>): Promise<Reply['json']> {
  const reply = await call;
  if (reply.status < 300) return reply.json;
  throw new Error(`${reply.status} ${reply.text}`);
}

/** Many concurrent calls. */
export const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

/** The number of replies by status or code. */
export function counters(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const name = json?.code ?? String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Waits until an instant. */
export async function instant(at: number): Promise<void> {
  while (Date.now() < at) await new Promise((go) => setTimeout(go, at - Date.now()));
}

/** Every row of a list, page by page; `meanwhile` runs between pages. */
export async function walk(
  realm: TestRealm,
  path: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Reply['json'][]> {
  const rows: Reply['json'][] = [];
  const join = path.includes('?') ? '&' : '?';
  for (let cursor = ''; ; await meanwhile()) {
    const page = (await realm.expect(200, 'GET', path + cursor)).json;
    rows.push(...(page.items ?? page.members));
    if (page.nextCursor === null) return rows;
    cursor = `${join}cursor=${page.nextCursor}`;
  }
}

/** The result of verifying the realm. */
export const verdict = async (realm: TestRealm): Promise<Reply['json']> =>
  (await realm.expect(200, 'GET', '/verify')).json;
