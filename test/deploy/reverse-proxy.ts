import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEPLOY = join(import.meta.dirname, '../../deploy');

interface Sent {
  key?: string;
  body?: string;
  headers?: Record<string, string>;
  /** The caller's own address; the proxy listens on 127.0.0.1. */
  from?: string;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A proxy with the configuration of deploy/, in front of two nodes. */
export class ReverseProxy {
  readonly #port: number;
  readonly #host: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, host: string, child: ChildProcess, folder: string) {
    this.#port = port;
    this.#host = host;
    this.#child = child;
    this.#folder = folder;
  }

  static async nginx(nodes: [string, string]): Promise<ReverseProxy> {
    const [folder, port] = [newFolder(), await freePort()];
    const certificate = selfSigned(folder);
    const config = replaced(readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8'), [
      ['server 127.0.0.1:8080 ', `server ${nodes[0]} `],
      ['# server 10.0.0.2:8080 ', `server ${nodes[1]} `],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
      ['listen [::]:443 ssl http2;', ''],
      ['/etc/ssl/points.example.com.pem', certificate.path],
      ['/etc/ssl/points.example.com.key', certificate.keyPath],
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const main = [
      `daemon off; master_process off; error_log stderr; pid ${folder}/pid;`,
      'events {}',
      'http { access_log off; gzip on; gzip_types *;',
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      config,
      '}',
    ].join('\n');
    writeFileSync(join(folder, 'nginx.conf'), main);
    const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], quiet({}));
    return new ReverseProxy(port, 'points.example.com', child, folder).#started();
  }

  static async caddy(nodes: [string, string]): Promise<ReverseProxy> {
    const [folder, port] = [newFolder(), await freePort()];
    // Certificates of its own, on loopback alone.
    const options = 'admin off\nskip_install_trust\nauto_https disable_redirects';
    const config = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8');
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n${options}\ndefault_bind 127.0.0.1\n}\n${config}`);
    const env = {
      SITE: `https://localhost:${port}`,
      UPSTREAMS: nodes.join(' '),
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], quiet(env));
    return new ReverseProxy(port, 'localhost', child, folder).#started();
  }

  async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const response = await this.#respond(method, path, sent);
    const text = (await response.toArray()).join('');
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  /** The lines of a stream, as they arrive. */
  async *stream(path: string, key: string): AsyncGenerator<string> {
    const headers = { accept: 'text/event-stream', 'accept-encoding': 'gzip' };
    const response = await this.#respond('GET', path, { key, headers });
    let rest = '';
    for await (const chunk of response) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #respond(method: string, path: string, sent: Sent): Promise<IncomingMessage> {
    const { key, body, headers = {}, from } = sent;
    const options: RequestOptions = {
      method,
      path,
      host: '127.0.0.1',
      port: this.#port,
      servername: this.#host,
      rejectUnauthorized: false,
      agent: false,
      headers: {
        host: `${this.#host}:${this.#port}`,
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
      ...(from && { localAddress: from }),
    };
    const outgoing = request(options);
    outgoing.end(body);
    const [response] = await once(outgoing, 'response');
    return response.setEncoding('utf8');
  }

  /** Waits until it answers for a node. */
  async #started(): Promise<ReverseProxy> {
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error('the proxy has ended');
      const answer = await this.send('GET', '/healthz').catch(() => null);
      if (answer?.status === 200) return this;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Whether a program is there; otherwise why a test is skipped. */
export function missing(program: string, versionFlag: string): string | false {
  try {
    execFileSync(program, [versionFlag], { stdio: 'ignore' });
    return false;
  } catch {
    return `${program} NOT FOUND: its configuration was not run`;
  }
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'realmkeep-proxy-'));

const quiet = (env: Record<string, string>) =>
  ({ env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' }) as const;

function selfSigned(folder: string): { path: string; keyPath: string } {
  const [path, keyPath] = [join(folder, 'certificate.pem'), join(folder, 'certificate.key')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', keyPath, '-out', path];
  const args = ['req', '-x509', ...key, '-subj', '/CN=points.example.com', ...files];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return { path, keyPath };
}

/** Each text has to be there: otherwise the test would run something else than the file. */
function replaced(text: string, changes: [string, string][]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/nginx.conf lacks: ${from}`);
    return changed.replace(from, to);
  }, text);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
