import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayDouble } from './gateway.ts';
import type { DiscordInteraction, Response } from './interaction.ts';
import { faultOf } from './schemas.ts';

interface Sent {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any;
  isAuthorized: boolean;
  at: number;
}

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** After so many milliseconds. */
  delayMs?: number;
}

/** Where Discord's time begins: 2015. */
const EPOCH = 1_420_070_400_000;

const ok = (body: unknown): Answer => ({ status: 200, body });
const NO_CONTENT: Answer = { status: 204 };

/** An error as Discord describes it: its own number, and words. */
export const refusal = (status: number, code: number, message: string): Answer => ({
  status,
  body: { code, message },
});

const UNAUTHORIZED = refusal(401, 0, '401: Unauthorized');
const UNKNOWN_WEBHOOK = refusal(404, 10015, 'Unknown Webhook');

/** Discord, as far as an app for points meets it: on loopback, and honest to its documents. */
export class Discord {
  readonly applicationId = '700000000000000001';
  readonly gateway: GatewayDouble;
  token = 'MTA5.the-token-of-the-app';
  /** The servers that the app was invited to, with their commands. */
  readonly guilds = new Map<string, unknown[]>();
  /** Channels that the app can write to, with what it wrote. */
  readonly channels = new Map<string, { id: string; nonce?: string; body: Response }[]>();
  /** The servers that channels are in. */
  readonly channelServers = new Map<string, string>();
  /** Roles of members: `guild/user/role`. */
  readonly roles = new Set<string>();
  readonly protectedRoles = new Set<string>();
  /** The servers of roles; a role that is not listed is of any. */
  readonly roleServers = new Map<string, string>();
  readonly interactions = new Map<string, DiscordInteraction>();
  readonly sent: Sent[] = [];
  /** What a test answers instead; undefined to answer as ever. */
  intercept: (sent: Sent) => Answer | undefined = () => undefined;
  /** What Discord would have refused as malformed. */
  readonly faults: string[] = [];
  /** How many requests a route takes in its window. */
  limits: { match: RegExp; limit: number; windowMs: number }[] = [];
  sessionsLeft = 1_000;
  readonly #server: Server;
  readonly #windows = new Map<string, { used: number; endsAt: number }>();
  #lastId = 0n;

  private constructor(server: Server) {
    this.#server = server;
    const gatewayUrl = (): string => this.url.replace('http', 'ws');
    this.gateway = new GatewayDouble(server, () => this.token, gatewayUrl);
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<Discord> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Discord(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nobody answers at this address any more, until it is `open` again. */
  async close(): Promise<void> {
    this.gateway.drop();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async open(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  /** Ids tell when they were given, as Discord's do. */
  newId(): string {
    const first = BigInt(Date.now() - EPOCH) << 22n;
    this.#lastId = first > this.#lastId ? first : this.#lastId + 1n;
    return String(this.#lastId);
  }

  requests(pattern: RegExp): Sent[] {
    return this.sent.filter(({ method, path }) => pattern.test(`${method} ${path}`));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const sent: Sent = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
      isAuthorized: request.headers.authorization === `Bot ${this.token}`,
      at: performance.now(),
    };
    this.sent.push(sent);
    const limited = this.#limit(sent);
    const answer = limited.refused ?? this.intercept(sent) ?? this.#answer(sent);
    if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...limited.headers,
      ...answer.headers,
    });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }

  /** The limits of a route, told in the headers of each answer. */
  #limit({ method, path }: Sent): { headers: Record<string, string>; refused?: Answer } {
    const route = `${method} ${path}`;
    const limit = this.limits.find(({ match }) => match.test(route));
    if (!limit) return { headers: {} };
    const now = performance.now();
    const name = String(limit.match);
    const known = this.#windows.get(name);
    const open = known && known.endsAt > now ? known : { used: 0, endsAt: now + limit.windowMs };
    this.#windows.set(name, open);
    open.used += 1;
    const after = (open.endsAt - now) / 1_000;
    const headers = {
      'x-ratelimit-limit': String(limit.limit),
      'x-ratelimit-remaining': String(Math.max(0, limit.limit - open.used)),
      'x-ratelimit-reset-after': after.toFixed(3),
      'x-ratelimit-bucket': `bucket-${this.limits.indexOf(limit)}`,
    };
    return open.used > limit.limit ? { headers, refused: tooMany(after) } : { headers };
  }

  #answer(sent: Sent): Answer {
    const { method, path, isAuthorized } = sent;
    const [, first, second = '', third = '', fourth, fifth] = path.split('/');
    const key = `${method} ${path.replaceAll(/\d{15,}/g, ':id')}`;
    if (first === 'interactions') return this.#callback(second, third, sent);
    if (first === 'webhooks') return this.#webhook(third, sent);
    if (!isAuthorized) return UNAUTHORIZED;
    switch (key) {
      case 'GET /applications/@me':
        return ok({ id: this.applicationId, name: 'Points' });
      case 'GET /gateway/bot':
        return ok({
          url: this.url.replace('http', 'ws'),
          shards: 1,
          session_start_limit: {
            total: 1_000,
            remaining: this.sessionsLeft,
            reset_after: 300,
            max_concurrency: 1,
          },
        });
      case 'GET /applications/:id/guilds/:id/commands':
      case 'PUT /applications/:id/guilds/:id/commands':
        return this.#commands(fourth ?? '', sent);
      case 'GET /channels/:id':
        return this.channels.has(second)
          ? ok({ id: second, guild_id: this.channelServers.get(second) })
          : refusal(403, 50001, 'Missing Access');
      case 'POST /channels/:id/messages':
        return this.#message(second, sent);
      case 'PUT /guilds/:id/members/:id/roles/:id':
      case 'DELETE /guilds/:id/members/:id/roles/:id':
        return this.#role(second, fourth ?? '', path.split('/')[6] ?? '', method);
      default:
        return refusal(404, 0, `404: Not Found ${fifth ?? ''}`);
    }
  }

  #commands(guildId: string, { method, body }: Sent): Answer {
    if (!this.guilds.has(guildId)) return refusal(403, 50001, 'Missing Access');
    if (method === 'PUT') {
      const malformed = this.#check('commands', body);
      if (malformed) return malformed;
      this.guilds.set(guildId, body);
    }
    return ok((this.guilds.get(guildId) ?? []).map((one) => this.#command(one as object, guildId)));
  }

  /** As Discord gives it back: with ids, and without what is the default. */
  #command(command: object, guild_id: string): object {
    const { options, type = 1, ...rest } = command as { type?: number; options?: object[] };
    return {
      id: this.newId(),
      application_id: this.applicationId,
      version: this.newId(),
      guild_id,
      type,
      description: '',
      default_member_permissions: null,
      nsfw: false,
      ...rest,
      ...(options && options.length > 0 && { options: options.map(withoutDefaults) }),
    };
  }

  #message(channelId: string, { body }: Sent): Answer {
    const channel = this.channels.get(channelId);
    if (!channel) return refusal(403, 50001, 'Missing Access');
    const malformed = this.#check('message', body);
    if (malformed) return malformed;
    const known = channel.find(({ nonce }) => body.enforce_nonce && nonce === body.nonce);
    if (known) return ok({ id: known.id });
    const id = this.newId();
    channel.push({ id, nonce: body.nonce, body });
    return ok({ id });
  }

  #role(guildId: string, userId: string, roleId: string, method: string): Answer {
    if (!this.guilds.has(guildId)) return refusal(403, 50001, 'Missing Access');
    const owner = this.roleServers.get(roleId) ?? guildId;
    if (owner !== guildId) return refusal(404, 10011, 'Unknown Role');
    if (this.protectedRoles.has(roleId)) return refusal(403, 50013, 'Missing Permissions');
    const name = `${guildId}/${userId}/${roleId}`;
    if (method === 'PUT') this.roles.add(name);
    else this.roles.delete(name);
    return NO_CONTENT;
  }

  #callback(id: string, token: string, { body }: Sent): Answer {
    const interaction = this.interactions.get(id);
    if (!interaction || interaction.token !== token || interaction.isExpired) {
      return refusal(404, 10062, 'Unknown interaction');
    }
    if (interaction.isAcknowledged) {
      return refusal(400, 40060, 'Interaction has already been acknowledged.');
    }
    const malformed = this.#check('callback', body);
    if (malformed) return malformed;
    interaction.acknowledge(body);
    return NO_CONTENT;
  }

  #webhook(token: string, { method, path, body }: Sent): Answer {
    const interaction = [...this.interactions.values()].find((one) => one.token === token);
    if (!interaction?.isAcknowledged) return UNKNOWN_WEBHOOK;
    const isOriginal = path.endsWith('/messages/@original');
    if (method === 'DELETE') {
      interaction.deleteOriginal();
      return NO_CONTENT;
    }
    const malformed = this.#check(isOriginal ? 'edit' : 'followUp', body);
    if (malformed) return malformed;
    if (isOriginal) interaction.editOriginal(body);
    else interaction.followUp(body);
    return ok({ id: this.newId() });
  }

  #check(name: Parameters<typeof faultOf>[0], body: unknown): Answer | undefined {
    const fault = faultOf(name, body);
    if (!fault) return undefined;
    this.faults.push(fault);
    return refusal(400, 50035, 'Invalid Form Body');
  }
}

export const tooMany = (seconds: number, isGlobal = false): Answer => ({
  status: 429,
  headers: {
    'retry-after': String(Math.ceil(seconds)),
    ...(isGlobal && { 'x-ratelimit-global': 'true' }),
    'x-ratelimit-scope': isGlobal ? 'global' : 'user',
  },
  body: { message: 'You are being rate limited.', retry_after: seconds, global: isGlobal },
});

function withoutDefaults(option: object): object {
  const kept = Object.entries(option).filter(([, value]) => value !== false);
  return Object.fromEntries(kept);
}
