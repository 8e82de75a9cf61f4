import type { Reply, TestService } from './service.ts';

export const SESSIONS = '/api/v4/sessions';
export const CURRENT = `${SESSIONS}/current`;

/** A browser that has signed in: its cookie, and the header that the console sends. */
export async function signIn(service: TestService, key: string) {
  const reply = await service.expect(201, 'POST', SESSIONS, { key });
  return { id: String(reply.json.id), sent: bySession(reply), current: reply.json };
}

/** Signs in by the link of an invitation. */
export const acceptInvitation = (service: TestService, link: string): Promise<Reply> =>
  service.expect(201, 'POST', SESSIONS, { key: null, body: { code: link.split('#code=')[1] } });

export const bySession = (reply: Reply) => ({
  key: null,
  headers: { cookie: cookieOf(reply), 'x-realmkeep-console': '1' },
});

export const cookieOf = ({ headers }: Reply): string =>
  headers['set-cookie']?.[0]?.split(';')[0] ?? '';
