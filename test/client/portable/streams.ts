import { isProblem, type RealmEvent, Realmkeep } from '@realmkeep/client';
import { type Cases, equal, fails, newRealmId } from './checks.ts';

const event = (seq: number, note = 'ß 🎲 \u2028'): string =>
  `id: ${seq}\nevent: realm.updated\ndata: ${JSON.stringify({ seq, note })}\n\n`;

const encoder = new TextEncoder();

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

/** An answer that arrives in pieces of these sizes, and then ends. */
function streamed(text: string, sizeOf: () => number): Response {
  const bytes = encoder.encode(text);
  let at = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        const size = sizeOf();
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
    }),
    { headers: EVENT_STREAM },
  );
}

/** A realm whose stream gives these answers, one after another, and then none. */
function streamOf(replies: (() => Response)[], signal: AbortSignal) {
  const asked: string[] = [];
  const retried: unknown[] = [];
  const fetch = async (url: string): Promise<Response> => {
    asked.push(new URL(url).search);
    const reply = replies[asked.length - 1];
    if (!reply) throw new TypeError('fetch failed');
    return reply();
  };
  const realm = new Realmkeep({ url: 'http://service.test', fetch }).realm('acme');
  const onRetry = (failure: unknown) => retried.push(failure);
  return { stream: realm.stream({ after: 3, signal, onRetry }), asked, retried };
}

async function take(stream: AsyncIterable<RealmEvent>, last: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of stream) {
    seen.push(seq);
    if (seq === last) break;
  }
  return seen;
}

async function takeTokens(
  stream: AsyncIterable<RealmEvent<'points.added'>>,
  last: number,
): Promise<number[]> {
  const seen: number[] = [];
  for await (const { data } of stream) {
    seen.push(data.tokens);
    if (data.tokens === last) break;
  }
  return seen;
}

export const streamCases: Cases = {
  'a stream through cut connections has every event once, in order': async (given) => {
    const { url, cutUrl, rootKey } = given;
    const client = new Realmkeep({ url, key: rootKey });
    const realm = client.realm(newRealmId());
    await client.createRealm({ id: realm.id, name: 'Streamed' });
    await realm.createMember({ id: '1' });
    const cut = new Realmkeep({ url: cutUrl, key: rootKey }).realm(realm.id);
    const credits = cut.stream({ types: ['points.added'] });
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const [seen, all] = await Promise.all([
      takeTokens(credits, numbers.length),
      take(cut.stream(), numbers.length + 2),
      (async () => {
        for (const number of numbers) await realm.member('1').add(number);
      })(),
    ]);
    equal(seen, numbers);
    equal(all, [1, 2, ...numbers.map((number) => number + 2)]);
  },

  'events are read however they are cut into pieces': async () => {
    const [four, five, six, seven] = [4, 5, 6, 7].map((seq) => event(seq));
    const withCrLf = five?.replaceAll('\n', '\r\n');
    const withCr = six?.replaceAll('\n', '\r');
    const text = `: hello\r\n\r\n${four}${withCrLf}:\n${withCr}${seven}`;
    const { signal } = new AbortController();
    for (let size = 1; size < 60; size += 1) {
      const { stream } = streamOf([() => streamed(text, () => size)], signal);
      equal(await take(stream, 7), [4, 5, 6, 7]);
    }
  },

  'a stream that ends or fails goes on after its last event': async () => {
    const { signal } = new AbortController();
    const part = (text: string) => () => streamed(text, () => 10);
    const { stream, asked, retried } = streamOf(
      [
        part(`${event(4)}${event(5)}id: 6\ndata: {"seq":6`),
        () => {
          throw new TypeError('fetch failed');
        },
        () => Response.json({ code: 'overloaded', message: '' }, { status: 503 }),
        // As Chromium gives an answer that was cut within its head.
        () => new Response(null),
        part(event(6)),
      ],
      signal,
    );
    equal(await take(stream, 6), [4, 5, 6]);
    equal(asked, ['?after=3', '?after=5', '?after=5', '?after=5', '?after=5']);
    const codes = retried.map((failure) => isProblem(failure) && failure.code);
    equal(codes, ['connection-failed', 'overloaded', 'connection-failed']);
  },

  'a stream with a filter goes on from where the service says it is': async () => {
    const { signal } = new AbortController();
    const { stream, asked } = streamOf(
      [() => streamed(`${event(4)}id: 90\n\n`, () => 5), () => streamed(event(91), () => 5)],
      signal,
    );
    equal(await take(stream, 91), [4, 91]);
    equal(asked, ['?after=3', '?after=90']);
  },

  'a stream ends with its signal, and with a refusal': async () => {
    const controller = new AbortController();
    const endless = () =>
      new Response(new ReadableStream({ start: (c) => c.enqueue(encoder.encode(event(4))) }), {
        headers: EVENT_STREAM,
      });
    const { stream } = streamOf([endless], controller.signal);
    const seen: number[] = [];
    for await (const { seq } of stream) {
      seen.push(seq);
      setTimeout(() => controller.abort());
    }
    equal(seen, [4]);
    const refused = () => Response.json({ code: 'unauthorized', message: 'no' }, { status: 401 });
    await fails(take(streamOf([refused], new AbortController().signal).stream, 9), 'unauthorized');
  },

  'a stream that is aborted gives no further event, though some have arrived': async () => {
    const controller = new AbortController();
    const both = () => streamed(`${event(4)}${event(5)}`, () => 1_000);
    const seen: number[] = [];
    for await (const { seq } of streamOf([both], controller.signal).stream) {
      seen.push(seq);
      controller.abort();
    }
    equal(seen, [4]);
  },

  'a stream waits as long as it is asked to': async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' } };
    const refused = () => Response.json({ code: 'rate-limited', message: 'no' }, limited);
    const { signal } = new AbortController();
    const start = Date.now();
    equal(
      await take(streamOf([refused, () => streamed(event(4), () => 9)], signal).stream, 4),
      [4],
    );
    // Timers may be early by a millisecond.
    equal(Date.now() - start >= 999, true);
  },

  'a page that is no stream of events ends it': async () => {
    const welcome = () => new Response('<h1>Welcome</h1>\n\n');
    const { signal } = new AbortController();
    await fails(take(streamOf([welcome], signal).stream, 9), 'unexpected-answer');
  },
};
