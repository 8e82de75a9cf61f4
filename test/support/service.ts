import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { after } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import { type Service, type ServiceOptions, startService } from '../../src/service.ts';
import type { WebhookOptions } from '../../src/webhooks/webhooks.ts';
import { newDatabase, type TestDatabase } from './database.ts';

export const ROOT_KEY = 'test-root-key-0123456789-0123456789-abcdef';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any;
}

export interface Sent {
  key?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
  headers?: Record<string, string | string[]>;
}

/** A real service with its own port and database, and a client for it. */
export class TestService {
  readonly database: TestDatabase;
  readonly logs: string[] = [];
  readonly #config: Config;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  readonly #web3: ServiceOptions['web3'];
  /** For the next start. */
  webhooks: WebhookOptions = {};
  #service: Service | null = null;

  private constructor(
    database: TestDatabase,
    changes: Partial<Config>,
    web3: ServiceOptions['web3'] = {},
  ) {
    this.database = database;
    this.#web3 = web3;
    this.#config = {
      // Most tests send more requests and more wrong keys than anybody may.
      ...readConfig({
        DATABASE_URL: database.url,
        ROOT_KEY,
        SECRET_KEY: ROOT_KEY,
        PORT: '0',
        RATE_LIMIT: 'off',
        // Tests receive events themselves.
        WEBHOOK_ALLOW_PRIVATE: 'true',
      }),
      ...changes,
    };
  }

  /** With its own database by default; a shared one is not dropped. */
  static async start(
    changes: Partial<Config> = {},
    web3: ServiceOptions['web3'] = {},
    shared?: TestDatabase,
    webhooks: WebhookOptions = {},
  ): Promise<TestService> {
    const database = shared ? { ...shared, drop: async () => {} } : await newDatabase();
    const service = new TestService(database, changes, web3);
    service.webhooks = webhooks;
    await service.up();
    return service;
  }

  get isUp(): boolean {
    return this.#service !== null;
  }

  get url(): string {
    if (!this.#service) throw new Error('the service is down');
    return this.#service.url;
  }

  /** A link that signs in to the console once, as the first start prints it. */
  async consoleLink(path = '/'): Promise<string> {
    return (await this.#service?.createConsoleLink?.(path)) ?? assert.fail('there is no console');
  }

  /** Starts the service on its database, on a new port. */
  async up(): Promise<void> {
    this.#service = await startService(this.#config, {
      web3: this.#web3 ?? {},
      webhooks: this.webhooks,
      logTo: { write: (line) => this.logs.push(line) },
      onDeath: (error) => {
        throw error;
      },
    });
  }

  /** Stops the service and keeps its database. */
  async down(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    await service?.stop();
  }

  async restart(): Promise<void> {
    await this.down();
    await this.up();
  }

  /** Sends one request; `key` is the root key by default, null for none. */
  send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const { key = ROOT_KEY, body, raw, headers = {} } = sent;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const url = new URL(this.url);
      const outgoing = request({
        host: url.hostname,
        port: url.port,
        path,
        method,
        agent: this.#agent,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...headers,
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(incoming.headers['content-type'] ?? '');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            json: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      });
      outgoing.end(payload);
    });
  }

  /** Creates a realm with an admin key. */
  async realm(id: string, settings: object = {}): Promise<TestRealm> {
    await this.expect(201, 'POST', '/api/v4/realms', { body: { id, name: id, settings } });
    const realm = new TestRealm(this, id);
    realm.key = await realm.issueKey(['admin']);
    return realm;
  }

  async expect(status: number, method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const reply = await this.send(method, path, sent);
    if (reply.status === status) return reply;
    throw new Error(`${method} ${path}: ${reply.status} instead of ${status}: ${reply.text}`);
  }

  /** Errors that the service logged. */
  errors(): string[] {
    return this.logs.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level));
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.down();
    await this.database.drop();
  }
}

/** A realm of a test service, with short paths and its own key. */
export class TestRealm {
  readonly service: TestService;
  readonly id: string;
  key = '';

  constructor(service: TestService, id: string) {
    this.service = service;
    this.id = id;
  }

  path(rest: string): string {
    return `/api/v4/realms/${this.id}${rest}`;
  }

  send(method: string, rest: string, sent: Sent = {}): Promise<Reply> {
    return this.service.send(method, this.path(rest), { key: this.key, ...sent });
  }

  expect(status: number, method: string, rest: string, sent: Sent = {}): Promise<Reply> {
    return this.service.expect(status, method, this.path(rest), { key: this.key, ...sent });
  }

  async issueKey(scopes: string[], more: object = {}): Promise<string> {
    const body = { name: 'test', scopes, ...more };
    const reply = await this.service.expect(201, 'POST', this.path('/keys'), { body });
    return reply.json.key;
  }

  /** A key that has expired. */
  async expiredKey(scopes: string[]): Promise<string> {
    const end = Date.now() + 1_000;
    const key = await this.issueKey(scopes, { expiresAt: new Date(end).toISOString() });
    await new Promise((resolve) => setTimeout(resolve, end - Date.now() + 1));
    return key;
  }

  /** Enrols a member, optionally with points. */
  async member(id: string, tokens = 0, fields: object = {}): Promise<string> {
    await this.expect(201, 'POST', '/members', { body: { id, ...fields } });
    if (tokens > 0) {
      await this.expect(200, 'PATCH', `/members/${id}/tokenBalance`, { body: { tokens } });
    }
    return id;
  }

  async balance(id: string): Promise<number> {
    return (await this.expect(200, 'GET', `/members/${id}`)).json.tokenBalance;
  }
}

/** A service for all tests of a file, none of which may make it log an error. */
export async function serviceForFile(
  changes: Partial<Config> = {},
  web3: ServiceOptions['web3'] = {},
  webhooks: WebhookOptions = {},
): Promise<TestService> {
  const service = await TestService.start(changes, web3, undefined, webhooks);
  after(async () => {
    await service.stop();
    assert.deepEqual(service.errors(), []);
  });
  return service;
}

/** A service for one test, stopped after it: the test changes its settings, or stops it. */
export async function serviceForTest(
  ...options: Parameters<typeof TestService.start>
): Promise<TestService> {
  const service = await TestService.start(...options);
  after(() => service.stop());
  return service;
}
