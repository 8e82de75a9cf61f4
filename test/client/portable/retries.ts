import { type ClientOptions, type RealmHandle, Realmkeep } from '@realmkeep/client';
import { type Cases, collect, equal, fails, problemOf } from './checks.ts';

type Reply = () => Response;

/** A client whose calls get these answers, one after another, and what it has sent. */
function answeredBy(replies: Reply[], options: Partial<ClientOptions> = {}) {
  const sent: { url: string; headers: Headers; redirect?: string; at: number }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { headers = {}, redirect = 'follow' } = init;
    sent.push({ url, headers: new Headers(headers), redirect, at: Date.now() });
    const reply = replies[sent.length - 1];
    if (reply) return reply();
    throw new TypeError('fetch failed');
  };
  const url = 'http://service.test/';
  const realm: RealmHandle = new Realmkeep({ url, fetch, ...options }).realm('acme');
  return { realm, sent };
}

const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  () =>
    Response.json({ code, status, message: code }, { status, headers });
const broken: Reply = () => {
  throw new TypeError('fetch failed');
};
const ok: Reply = () => Response.json({ id: 'acme' });
/** As Chromium gives an answer that was cut within its head. */
const cut =
  (status: number): Reply =>
  () =>
    new Response(null, { status, headers: { 'content-type': 'application/json' } });
const noContent: Reply = () => new Response(null, { status: 204 });
const html =
  (status: number): Reply =>
  () =>
    new Response('<h1>Bad gateway</h1>', { status });

function isRefused(make: () => Realmkeep): boolean {
  try {
    make();
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}

export const retryCases: Cases = {
  'one key serves all attempts of a call, and each call has another': async () => {
    const { realm, sent } = answeredBy([broken, problem(503, 'overloaded'), cut(200), ok, ok]);
    await realm.archive();
    await realm.archive();
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    equal(new Set(keys.slice(0, 4)).size, 1);
    equal([keys.length, new Set(keys).size], [5, 2]);
  },

  'what a repetition cannot change is not repeated': async () => {
    for (const [status, code] of [
      [500, 'internal'],
      [422, 'realm-archived'],
      [401, 'unauthorized'],
    ] as const) {
      const { realm, sent } = answeredBy([problem(status, code), ok]);
      await fails(realm.get(), code);
      equal(sent.length, 1);
    }
  },

  'retries end, with the last failure': async () => {
    const { realm, sent } = answeredBy([html(502), html(502), html(502)], { retries: 2 });
    const error = await problemOf(realm.get());
    equal([error.code, error.status, sent.length], ['unexpected-answer', 502, 3]);
  },

  'Retry-After is waited for, but not beyond the deadline': async () => {
    const limited = problem(429, 'rate-limited', { 'retry-after': '1' });
    const patient = answeredBy([limited, ok]);
    await patient.realm.get();
    const [first, second] = patient.sent;
    // Timers may be early by a millisecond.
    equal((second?.at ?? 0) - (first?.at ?? 0) >= 999, true);
    const hasty = answeredBy([limited, ok]);
    const refused = await problemOf(hasty.realm.get({ timeoutMs: 900 }));
    equal([refused.code, refused.retryAfterMs, hasty.sent.length], ['rate-limited', 1_000, 1]);
  },

  'Retry-After may be a date, and may be nonsense': async () => {
    const after = async (header: string): Promise<number> => {
      const limited = problem(429, 'rate-limited', { 'retry-after': header });
      return (await problemOf(answeredBy([limited], { retries: 0 }).realm.get())).retryAfterMs ?? 0;
    };
    const inAMinute = await after(new Date(Date.now() + 60_000).toUTCString());
    equal(inAMinute > 50_000 && inAMinute <= 60_000, true);
    for (const header of ['soon', '-5', new Date(0).toUTCString()]) equal(await after(header), 0);
  },

  'a repeated DELETE that finds nothing has succeeded, but not a first one': async () => {
    const gone = problem(404, 'member-not-found');
    await answeredBy([broken, gone]).realm.member('1').remove();
    await fails(answeredBy([gone]).realm.member('1').remove(), 'member-not-found');
    const refused = answeredBy([problem(503, 'overloaded'), gone]);
    await fails(refused.realm.member('1').remove(), 'member-not-found');
    await answeredBy([noContent]).realm.member('1').remove();
    const unknown = problem(503, 'outcome-unknown');
    await answeredBy([unknown, gone]).realm.member('1').remove();
    await answeredBy([cut(404), gone])
      .realm.member('1')
      .remove();
  },

  'a repeated DELETE has not succeeded if something else is not found': async () => {
    for (const [reply, code] of [
      [html(404), 'unexpected-answer'],
      [problem(404, 'key-not-found'), 'key-not-found'],
      [problem(404, 'realm-not-found'), 'realm-not-found'],
    ] as const) {
      await fails(answeredBy([broken, reply]).realm.member('1').remove(), code);
    }
    const gone = problem(404, 'realm-not-found');
    await answeredBy([broken, gone]).realm.delete({ confirm: 'acme' });
  },

  'a redirection is not followed': async () => {
    const location = 'https://service.test/';
    const moved = () => new Response(null, { status: 301, headers: { location } });
    const { realm, sent } = answeredBy([moved, ok]);
    const error = await problemOf(realm.createMember({ id: '1' }));
    equal([error.code, error.status, sent.length], ['unexpected-answer', 301, 1]);
    equal(error.message.includes(`redirects to ${location}`), true);
    equal(sent[0]?.redirect, 'manual');
  },

  'what cannot be sent is an error at once': async () => {
    const { realm, sent } = answeredBy([ok]);
    const tokens = Number('many');
    for (const call of [
      () => realm.member('1').add(tokens),
      () => realm.member('1').subtract(-5),
      () => realm.member('1').subtract('5' as never),
      () => realm.hold(tokens).get(),
      // As null, these two would mean "no limit" and "for ever".
      () => realm.update({ settings: { maxTokensPerRequest: tokens } }),
      () => realm.createKey({ name: 'bot', scopes: ['read'], expiresAt: new Date('tomorrow') }),
      () => realm.transactions({ from: new Date('yesterday') }),
      () => realm.archive({ idempotencyKey: 'größe 🎲' }),
      () => realm.archive({ idempotencyKey: '' }),
      () => realm.archive({ idempotencyKey: null as never }),
      () => realm.archive({ onBehalfOf: 'größe 🎲' }),
    ]) {
      const error = await call().catch((reason: unknown) => reason);
      if (!(error instanceof RangeError)) throw new Error(`${error} instead of a RangeError`);
    }
    equal(sent.length, 0);
    for (const options of [{ url: 'localhost:8080' }, { url: undefined as never }]) {
      equal(
        isRefused(() => new Realmkeep(options)),
        true,
      );
    }
    equal(
      isRefused(() => new Realmkeep({ url: '', key: 'rk_🎲' })),
      true,
    );
  },

  'a header is sent once, however it is spelled': async () => {
    const { realm, sent } = answeredBy([ok], { key: 'mine', headers: { Authorization: 'other' } });
    await realm.get();
    equal(sent[0]?.headers.get('authorization'), 'Bearer mine');
  },

  'a failed connection says why': async () => {
    const cause = new Error('connect ECONNREFUSED');
    const refused = () => {
      throw new TypeError('fetch failed', { cause });
    };
    const error = await problemOf(answeredBy([refused], { retries: 0 }).realm.get());
    equal(error.message, 'No answer from http://service.test: connect ECONNREFUSED');
  },

  'an answer that is none of the service says so': async () => {
    const welcome = () => new Response('<h1>Welcome</h1>');
    await fails(answeredBy([welcome]).realm.get(), 'unexpected-answer');
    await fails(
      answeredBy([() => Response.json([], { status: 404 })]).realm.get(),
      'unexpected-answer',
    );
    const empty = { status: 404, headers: { 'content-length': '0' } };
    await fails(answeredBy([() => new Response(null, empty)]).realm.get(), 'unexpected-answer');
  },

  'a path has no place for other paths': async () => {
    const { realm, sent } = answeredBy([ok, ok]);
    await realm.kind('a/b?c').update({ name: 'Odd' });
    equal(sent[0]?.url, 'http://service.test/api/v4/realms/acme/points/a%2Fb%3Fc');
    for (const id of ['', '.', '..']) {
      const call = async () => realm.kind(id).update({ name: 'Odd' });
      equal(await call().catch((error) => error instanceof RangeError), true);
    }
  },

  'a list goes on over pages without items': async () => {
    const pages = [{ nextCursor: 'a' }, { nextCursor: 'b' }, { nextCursor: null }];
    const { realm, sent } = answeredBy(
      pages.map((page) => () => Response.json({ items: [], ...page })),
    );
    equal(await collect(realm.member('1').transactions({ type: 'points.reversed' })), []);
    const cursors = sent.map(({ url }) => new URL(url).searchParams.get('cursor'));
    equal(cursors, [null, 'a', 'b']);
  },

  'queries have what is given, and headers go with every call': async () => {
    const { realm, sent } = answeredBy([() => Response.json({ items: [], nextCursor: null })], {
      headers: { 'x-realmkeep-console': '1' },
    });
    await collect(realm.transactions({ from: new Date(0), limit: 5, type: 'points.added' }));
    const query = '?from=1970-01-01T00%3A00%3A00.000Z&limit=5&type=points.added';
    equal(sent[0]?.url, `http://service.test/api/v4/realms/acme/transactions${query}`);
    equal(sent[0]?.headers.get('x-realmkeep-console'), '1');
    equal(sent[0]?.headers.get('authorization'), null);
  },
};
