/**
 * The requests that programs send to these paths today, and the fields that they read of the
 * answers. Written from what such programs do; no code of theirs. Bodies are the very text that is
 * sent, since a member id in a JavaScript number would not survive.
 */
interface Program {
  name: string;
  /** Sent with every call, as the program's HTTP library does; `{key}` is the API key. */
  headers: Record<string, string>;
  calls: ProgramCall[];
}

export interface ProgramCall {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below `/api/v4/realms/{realmID}`. */
  path: string;
  body?: string;
  status: number;
  /**
   * What the program reads and finds: a path of names and indexes, in which `first` is the first
   * value of an object, whatever its name.
   */
  reads: Record<string, string | number | boolean | null | RegExp>;
}

export const ALICE = '80351110224678912';
export const BOB = '175928847299117063';
export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const A_SENTENCE = /^\S.{10,}\.$/s;
const AN_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Alice starts with 1,000 points and 3 badges, Bob with nothing; `points` is the default kind. */
export const programs: Program[] = [
  {
    name: 'a bot on aiohttp, with one set of headers for every call',
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'Python/3.12 aiohttp/3.10.5',
      authorization: '{key}',
      'content-type': 'application/json',
    },
    calls: [
      {
        method: 'GET',
        path: `/members/${ALICE}`,
        status: 200,
        reads: {
          id: ALICE,
          username: 'alice',
          tokenBalance: 1000,
          'balances.first': 1000,
          'balances.points': 1000,
          'balances.badges': 3,
        },
      },
      {
        method: 'PATCH',
        path: `/members/${ALICE}/tokenBalance`,
        body: '{"tokens": 50}',
        status: 200,
        reads: { newBalance: 1050 },
      },
      {
        method: 'PATCH',
        path: `/members/${ALICE}/tokenBalance`,
        body: '{"tokens": -50, "description": "Shop: caf\\u00e9"}',
        status: 200,
        reads: { newBalance: 1000 },
      },
      {
        method: 'PATCH',
        path: `/members/${ALICE}/transfer`,
        body: `{"recipientId": ${BOB}, "tokens": 20}`,
        status: 200,
        reads: { message: 'Ok', recipientId: BOB, senderBalance: 980, recipientBalance: 20 },
      },
      {
        method: 'PATCH',
        path: `/members/${BOB}/transfer`,
        body: `{"recipientId": ${ALICE}, "tokens": 5000}`,
        status: 422,
        reads: { code: 'insufficient-points', message: A_SENTENCE },
      },
      {
        method: 'GET',
        path: '/members/999',
        status: 404,
        reads: { code: 'member-not-found', message: A_SENTENCE },
      },
    ],
  },
  {
    name: 'a bot on axios, whose instance names a content type for every call',
    headers: {
      accept: 'application/json, text/plain, */*',
      'accept-encoding': 'gzip, compress, deflate, br',
      'user-agent': 'axios/1.7.7',
      authorization: 'Bearer {key}',
      'content-type': 'application/json',
    },
    calls: [
      {
        method: 'GET',
        path: `/members/${BOB}`,
        status: 200,
        reads: { username: 'bob', 'balances.first': 20, 'balances.badges': 0 },
      },
      {
        method: 'PATCH',
        path: `/members/${ALICE}/transfer`,
        body: `{"recipientId":"${BOB}","tokens":30,"description":"Thanks!"}`,
        status: 200,
        reads: { message: 'Ok', recipientId: BOB, recipientBalance: 50 },
      },
      {
        method: 'PATCH',
        path: `/members/${BOB}/tokenBalance`,
        body: '{"tokens":1,"realmPointId":"badges","reason":"a field that nobody knows"}',
        status: 200,
        reads: { newBalance: 1, realmPointId: 'badges' },
      },
      {
        method: 'PATCH',
        path: `/members/${BOB}/tokenBalance`,
        body: '{"tokens":"1"}',
        status: 400,
        reads: { message: A_SENTENCE, 'errors.0.pointer': '/tokens' },
      },
    ],
  },
  {
    name: 'a page with a leaderboard, rendered on a server by fetch',
    headers: {
      accept: '*/*',
      'accept-language': '*',
      'accept-encoding': 'gzip, deflate',
      'sec-fetch-mode': 'cors',
      'user-agent': 'node',
      authorization: 'Bearer {key}',
    },
    calls: [
      {
        method: 'GET',
        path: '/leaderboard?limit=10',
        status: 200,
        reads: {
          'members.0.id': ALICE,
          'members.0.username': 'alice',
          'members.0.balance': 950,
          'members.0.tokens': 950,
          'members.0.last_updated': AN_INSTANT,
          'members.0.wallet': WALLET,
          'members.1.id': BOB,
          'members.1.balance': 50,
          'members.1.tokens': 50,
          'members.1.wallet': null,
        },
      },
      {
        method: 'GET',
        path: '/leaderboard?window=day&realmPointId=badges',
        status: 200,
        reads: { 'members.0.tokens': 3, 'members.1.tokens': 1, 'members.1.balance': 1 },
      },
    ],
  },
  {
    name: 'a door keeper on requests, which sends a body with GET',
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      'user-agent': 'python-requests/2.32.3',
      authorization: 'bearer {key}',
    },
    calls: [
      {
        method: 'GET',
        path: '/members/includes',
        body: `{"wallets": ["${WALLET.toLowerCase()}", "0x0"]}`,
        status: 200,
        reads: { any: true, all: false, 'results.0.memberId': ALICE, 'results.1.included': false },
      },
      {
        method: 'GET',
        path: `/web3/members/${ALICE}`,
        status: 200,
        reads: { memberId: ALICE, 'wallets.0.address': WALLET, 'wallets.0.primary': true },
      },
    ],
  },
];
