import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Pictures } from '../../src/discord/pictures.ts';
import { assertProblem } from '../support/checks.ts';
import { TestService } from '../support/service.ts';
import { signIn } from '../support/sessions.ts';
import { newDiscord } from './served.ts';

const ALICE = '80351110224678912';
const AVATAR = 'a_0123456789abcdef0123456789abcdef';
const PICTURE = Buffer.from(`RIFF\0\0\0\0WEBP${'.'.repeat(100)}`);

interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
}

type Serve = (response: ServerResponse, asked: Asked) => void;

const json = (response: ServerResponse, body: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const webp = (response: ServerResponse, bytes: Buffer | string = PICTURE, type = 'image/webp') =>
  response.writeHead(200, { 'content-type': type }).end(bytes);

/** Discord's API and its CDN in one server. */
async function double(t: TestContext, serve: Serve) {
  const asked: Asked[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, headers });
    serve(response, { path: url, headers });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const parts = { token: 'the-token', apiUrl: `${url}/api`, cdnUrl: `${url}/cdn` };
  return { url, asked, parts };
}

const isAccount = ({ path }: Asked): boolean => path.startsWith('/api/');

test('a picture is asked for once, by account and avatar alone', async (t) => {
  const { asked, parts } = await double(t, (response, one) =>
    isAccount(one) ? json(response, { avatar: AVATAR }) : webp(response),
  );
  const pictures = new Pictures(parts);
  const found = await Promise.all([pictures.of(ALICE), pictures.of(ALICE)]);
  found.push(await pictures.of(ALICE));
  for (const one of found) assert.deepEqual(one, { type: 'image/webp', bytes: PICTURE });
  const account = `/api/users/${ALICE}`;
  const file = `/cdn/avatars/${ALICE}/${AVATAR}.webp?size=128`;
  assert.deepEqual(
    asked.map(({ path, headers }) => [path, headers.authorization]),
    [
      [account, 'Bot the-token'],
      [file, undefined],
    ],
  );
});

test('nothing but ids of accounts and names of avatars gets into an address', async (t) => {
  let avatar: unknown = null;
  const { asked, parts } = await double(t, (response) => json(response, { avatar }));
  for (const id of ['', '../guilds/1', '1', `${ALICE}/x`, `${ALICE}?`, `0${ALICE}`, 'alice']) {
    assert.equal(await new Pictures(parts).of(id), null, id);
  }
  assert.equal(asked.length, 0);
  for (avatar of [null, 7, '', `../${AVATAR}`, `${AVATAR}.svg`, AVATAR.toUpperCase(), {}]) {
    assert.equal(await new Pictures(parts).of(ALICE), null);
  }
  assert.ok(asked.every(isAccount));
});

const wrongFiles: [what: string, serve: (response: ServerResponse, url: string) => void][] = [
  ['a page', (response) => webp(response, '<script>', 'text/html')],
  ['a page that says it is a picture', (response) => webp(response, '<script>')],
  ['a drawing', (response) => webp(response, '<svg/>', 'image/svg+xml')],
  ['a large file', (response) => webp(response, Buffer.concat([PICTURE, Buffer.alloc(70_000)]))],
  ['a redirect', (response, url) => response.writeHead(302, { location: `${url}/cdn/1` }).end()],
  ['nothing', (response) => response.destroy()],
  ['nothing for long', () => {}],
  ['an error', (response) => response.writeHead(500).end()],
  ['no such file', (response) => response.writeHead(404).end()],
];

for (const [what, serve] of wrongFiles) {
  test(`a CDN that answers ${what} gives no picture, and is not asked again at once`, async (t) => {
    const { url, asked, parts } = await double(t, (response, one) =>
      isAccount(one) ? json(response, { avatar: AVATAR }) : serve(response, url),
    );
    const pictures = new Pictures({ ...parts, timeoutMs: 500 });
    assert.deepEqual([await pictures.of(ALICE), await pictures.of(ALICE)], [null, null]);
    assert.equal(asked.length, 2);
  });
}

test('a few are asked for at once, and nobody while Discord wants none', async (t) => {
  let [open, most] = [0, 0];
  const { asked, parts } = await double(t, (response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      if (asked.length < 20) json(response, { avatar: null });
      else response.writeHead(429, { 'retry-after': '30' }).end();
    }, 5);
  });
  const pictures = new Pictures(parts);
  const ids = Array.from({ length: 100 }, (_, index) => String(BigInt(ALICE) + BigInt(index)));
  const found = await Promise.all(ids.map((id) => pictures.of(id)));
  assert.ok(found.every((one) => one === null));
  assert.equal(most, 4);
  assert.ok(asked.length < 30, `${asked.length} requests`);
});

test('an account that Discord has a fault with keeps no other from its picture', async (t) => {
  const invalid = '99999999999999999999';
  for (const status of [400, 500]) {
    const { parts } = await double(t, (response, one) => {
      if (one.path.endsWith(invalid)) response.writeHead(status).end();
      else if (isAccount(one)) json(response, { avatar: AVATAR });
      else webp(response);
    });
    const pictures = new Pictures(parts);
    assert.equal(await pictures.of(invalid), null);
    assert.ok(await pictures.of(ALICE), `after ${status}`);
  }
});

test('the console has pictures from its own origin, where a realm shows them', async (t) => {
  const discord = await newDiscord();
  discord.intercept = ({ path }) =>
    path === `/users/${ALICE}` ? { status: 200, body: { avatar: AVATAR } } : undefined;
  const { asked, parts } = await double(t, (response) => webp(response));
  const bot = { token: discord.token, publicKey: null, serviceUrl: null, serviceKey: null };
  const urls = { apiUrl: discord.url, cdnUrl: parts.cdnUrl };
  const service = await TestService.start({ discord: { ...bot, ...urls } });
  t.after(() => service.stop());
  const [acme, other] = [await service.realm('acme'), await service.realm('other')];
  const accounts = [{ provider: 'discord', id: ALICE }];
  await acme.expect(201, 'POST', '/members', { body: { id: ALICE, accounts } });
  await acme.member('2');
  const { sent } = await signIn(service, acme.key);
  const cookie = { cookie: sent.headers.cookie };
  const path = (id: string) => `/console/pictures/acme/${id}`;
  const get = (id: string, headers: Record<string, string> = cookie) =>
    service.send('GET', path(id), { key: null, headers });
  assertProblem(await get(ALICE), 'not-found');
  assert.equal(asked.length, 0, 'it is off by default');
  const body = { settings: { discordPictures: true } };
  await acme.expect(200, 'PATCH', '', { body });
  const { status, headers } = await fetch(service.url + path(ALICE), { headers: cookie });
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp']);
  assert.equal(headers.get('cache-control'), 'private, max-age=3600');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
  for (const id of ['2', '3']) assert.equal((await get(id)).status, 204);
  for (const id of ['x', '..%2F2']) assertProblem(await get(id), 'not-found');
  assertProblem(await get(ALICE, {}), 'unauthorized');
  assertProblem(await get(ALICE, { authorization: `Bearer ${acme.key}` }), 'unauthorized');
  const { sent: elsewhere } = await signIn(service, other.key);
  assertProblem(await get(ALICE, { cookie: elsewhere.headers.cookie }), 'forbidden');
  assert.equal(asked.length, 1);
});
