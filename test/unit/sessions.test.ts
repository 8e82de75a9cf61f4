import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { generateKey, hashSecret } from '../../src/domain/key-format.ts';
import type { Session } from '../../src/domain/model.ts';
import { newCode } from '../../src/domain/rules/sessions.ts';
import { KeyRing, type Principal } from '../../src/http/key-ring.ts';
import { ClientNetworks } from '../../src/http/rate-limits.ts';
import { SessionCookie } from '../../src/http/session-cookie.ts';
import { Sessions } from '../../src/http/sessions.ts';
import { Unavailable } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

const request = new IncomingMessage(new Socket());
const caller = { destroyed: false };

/** Sessions in a store that writes none before the test says so, with a one-time code of root. */
function setUp() {
  const stored = new Map<string, Session>();
  const open = Promise.withResolvers<void>();
  const ledger = {
    query: async (_: 'session', { sessionId }: { sessionId: string }) => stored.get(sessionId),
    housekeeping: {
      createSession: async (session: Session) => {
        await open.promise;
        stored.set(session.id, session);
      },
      endSession: async (id: string) => stored.delete(id),
    },
  } as unknown as Ledger;
  const keyRing = new KeyRing(ledger, hashSecret('the root key'), null);
  const cookie = new SessionCookie(new ClientNetworks([]), false);
  const sessions = new Sessions({ ledger, keyRing, cookie, wrongKeys: null });
  const { key: code, newKey } = generateKey();
  const issued = newCode({ newKey, keyId: keyRing.rootSessionKeyId, now: Date.now() });
  stored.set(issued.id, issued);
  return { sessions, keyRing, code, open };
}

test('a code that is refused because too many sign in is not used up', async () => {
  const { sessions, keyRing, code, open } = setUp();
  const root = (await keyRing.principalOf(keyRing.rootSessionKeyId)) as Principal;
  const signIns = Array.from({ length: 501 }, () => sessions.create(root, request, caller));
  await assert.rejects(sessions.redeem(code, request, caller), Unavailable);
  open.resolve();
  await Promise.all(signIns);
  const { principal } = await sessions.redeem(code, request, caller);
  assert.ok(principal.scopes.has('root'));
  await assert.rejects(sessions.redeem(code, request, caller), /link has expired/);
});
