import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersStream } from '../../src/http/streaming.ts';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { EventReader } from '../support/event-reader.ts';
import { add, give } from '../support/points.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';

const service = await serviceForFile();
const STREAM = { accept: 'text/event-stream' };

const feedOf = async (realm: TestRealm, query = '') =>
  (await realm.expect(200, 'GET', `/events?limit=500${query}`)).json.items;

test('a stream is the feed, from its beginning and as it goes on', async () => {
  const realm = await service.realm('whole');
  await realm.member('1', 100, { username: 'Zoë\n"ü" \u2028', metadata: { tier: ['gold', null] } });
  const reader = await EventReader.open(realm);
  await reader.reaches(4);
  await realm.member('2');
  await give(realm, '1', '2', 5);
  await reader.reaches(6);
  assert.deepEqual(reader.events, await feedOf(realm));
  assert.equal(reader.lastEventId, 6);
  assert.ok(reader.retryMs && reader.retryMs >= 1_000 && reader.retryMs <= 3_000);
  const { headers } = reader;
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-accel-buffering'], 'no');
  assert.ok(headers['x-request-id']);
  reader.close();
});

test('a reader resumes after the last event that it has', async () => {
  const realm = await service.realm('resumed');
  await realm.member('1', 100);
  await add(realm, '1', 1);
  const cases: [options: Parameters<typeof EventReader.open>[1], first: number][] = [
    [{ query: '?after=0' }, 1],
    [{ query: '?after=3' }, 4],
    [{ lastEventId: 4 }, 5],
    // A browser that connects again repeats its URL.
    [{ query: '?after=1', lastEventId: 4 }, 5],
    [{ lastEventId: 0 }, 1],
    [{ query: '?after=2&limit=1' }, 3],
  ];
  for (const [options, first] of cases) {
    const reader = await EventReader.open(realm, options);
    await reader.reaches(5);
    assert.equal(reader.events[0]?.seq, first, JSON.stringify(options));
    reader.close();
  }
  const atEnd = await EventReader.open(realm, { lastEventId: 5 });
  await add(realm, '1', 1);
  await atEnd.reaches(6);
  assert.deepEqual(atEnd.seqs, [6]);
  atEnd.close();
});

test('filters: the same as those of the feed, and the id goes on', async () => {
  const realm = await service.realm('filtered');
  await realm.member('1', 100);
  const query = '?types=points.added&types=points.subtracted&types=key.created';
  const types = '&types=points.added,points.subtracted,key.created';
  const reader = await EventReader.open(realm, { query });
  await reader.reaches(4);
  await realm.member('2');
  await give(realm, '1', '2', 5);
  await add(realm, '1', -5);
  await reader.reaches(7);
  assert.deepEqual(reader.seqs, [2, 4, 7]);
  assert.deepEqual(reader.events, await feedOf(realm, types));
  const none = (await realm.expect(200, 'GET', '/events?after=4&limit=2&types=key.created')).json;
  assert.deepEqual(none, { items: [], lastSeq: 6 }, 'the feed goes on after an empty page');
  reader.close();
});

test('the history is longer than a page, and its parts join while it grows', async () => {
  const realm = await service.realm('long', { autoEnroll: true });
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ memberId: index + 1, tokens: 1 }));
  const write = () => realm.expect(200, 'PATCH', '/members/tokenBalance', { body: { entries } });
  await write();
  const first = await EventReader.open(realm);
  const [second] = await Promise.all([EventReader.open(realm), write(), write()]);
  const end = 2 + 4_000;
  for (const reader of [first, second]) {
    await reader.reaches(end);
    assert.deepEqual(
      reader.seqs,
      Array.from({ length: end }, (_, index) => index + 1),
    );
    reader.close();
  }
});

test('who does not ask for a stream gets JSON', async () => {
  const realm = await service.realm('json');
  for (const accept of ['application/json', '*/*', 'text/html', '']) {
    const { headers, json } = await realm.expect(200, 'GET', '/events', { headers: { accept } });
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.equal(json.lastSeq, 2);
  }
  // It would wait for a stream to end.
  const head = await realm.expect(200, 'HEAD', '/events', { headers: STREAM });
  assert.match(String(head.headers['content-type']), /^application\/json/);
  const wrong = await realm.send('DELETE', '/events', { headers: STREAM });
  assertProblem(wrong, 'method-not-allowed');
  // The header means something only to a stream.
  await realm.expect(200, 'GET', '/events', { headers: { 'last-event-id': 'x' } });
});

test('a stream is wanted if Accept names it, and not JSON', () => {
  const cases: [string | undefined, boolean][] = [
    [undefined, false],
    ['text/event-stream', true],
    ['Text/Event-Stream; charset=utf-8', true],
    ['text/event-stream, */*;q=0.1', true],
    ['text/event-stream, application/json', false],
    ['text/*', false],
  ];
  for (const [accept, expected] of cases) {
    assert.equal(prefersStream(accept), expected, `${accept}`);
  }
});

test('bad input is a problem that says so', async () => {
  const realm = await service.realm('bad');
  for (const id of ['', 'x', '-1', '1.5', '01', '9'.repeat(16)]) {
    const headers = { ...STREAM, 'last-event-id': id };
    assertFaults(await realm.send('GET', '/events', { headers }), '/header/last-event-id');
  }
  const beyond = { ...STREAM, 'last-event-id': '3' };
  const reply = await realm.send('GET', '/events', { headers: beyond });
  assertFaults(reply, '/header/last-event-id');
  assert.match(reply.json.detail, /beyond the end of the journal/);
  assertFaults(await realm.send('GET', '/events?after=9', { headers: STREAM }), '/query/after');
  for (const types of ['', 'points', 'points.added,', 'points.Added', 'points.*', 'x.y']) {
    const path = `/events?types=${types}`;
    assertFaults(await realm.send('GET', path, { headers: STREAM }), '/query/types');
    assertFaults(await realm.send('GET', path), '/query/types');
  }
  const nowhere = await service.send('GET', '/api/v4/realms/nowhere/events', { headers: STREAM });
  assertProblem(nowhere, 'realm-not-found');
  const unknown = await realm.send('GET', '/events', { key: null, headers: STREAM });
  assertProblem(unknown, 'unauthorized');
});

test('streams are counted, and take none of the work in progress', async () => {
  const realm = await service.realm('counted');
  const metrics = async () => (await service.send('GET', '/metrics', { key: ROOT_KEY })).text;
  const metricIn = (text: string, name: string) =>
    Number(new RegExp(`^realmkeep_${name} (\\d+)`, 'm').exec(text)?.[1]);
  // Those of the other tests are being closed.
  let before = await metrics();
  while (metricIn(before, 'event_streams') > 0) before = await metrics();
  const readers = await Promise.all(Array.from({ length: 5 }, () => EventReader.open(realm)));
  await Promise.all(readers.map((reader) => reader.reaches(2)));
  const text = await metrics();
  assert.equal(metricIn(text, 'event_streams'), 5);
  const sent = 'event_stream_events_total';
  assert.equal(metricIn(text, sent) - metricIn(before, sent), 10);
  assert.equal(metricIn(text, 'event_stream_dropped_total'), 0);
  assert.equal(metricIn(text, 'http_requests_in_progress'), 0);
  for (const reader of readers) reader.close();
});
