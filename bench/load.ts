import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from './processes.ts';

/** A request whose path, headers and body may contain <realm>, <member>, <other> and <key>. */
export interface RequestTemplate {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The values of the slots: a realm, two different members and a new idempotency key. */
type Slots = Record<'realm' | 'member' | 'other' | 'key', string>;

export interface Load {
  url: string;
  request: RequestTemplate;
  /** The values of the slots. */
  members: readonly string[];
  realms: readonly string[];
  connections: number;
  seconds: number;
}

/** The result of a load. Latencies are in milliseconds. */
export interface LoadResult {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  /** By kind; `status` are answers other than 2xx. */
  failures: Record<string, number>;
}

export interface LoadGenerator {
  name: string;
  run: (load: Load) => Promise<LoadResult>;
}

/** After this additional time a load generator counts as hung. */
const GRACE_SECONDS = 15;

/** Prefers wrk: it is faster and leaves more of the machine to the server. */
export function chooseGenerator(folder: string, useAutocannon: boolean): LoadGenerator {
  const probe = useAutocannon ? null : spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  if (!probe || probe.error) {
    return {
      name: 'autocannon 8, which reports whole milliseconds',
      run: (load) => runAutocannon(load, join(folder, 'load.json')),
    };
  }
  const version = /wrk (\S+)/.exec(probe.stdout + probe.stderr)?.[1] ?? '';
  return {
    name: `wrk ${version}, one thread`,
    run: (load) => runWrk(load, folder),
  };
}

export function fill(template: RequestTemplate, slots: Slots): RequestTemplate {
  const put = (text: string) =>
    text.replaceAll(/<(realm|member|other|key)>/g, (_, name: keyof Slots) => slots[name]);
  const headers = Object.entries(template.headers).map(([name, value]) => [name, put(value)]);
  return {
    method: template.method,
    path: put(template.path),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: put(template.body),
  };
}

async function runWrk(load: Load, folder: string): Promise<LoadResult> {
  const { url, members, realms, connections, seconds } = load;
  const files = ['request.http', 'members.txt', 'realms.txt'].map((name) => join(folder, name));
  const texts = [asHttp(load), members.join('\n'), realms.join('\n')];
  for (const [index, file] of files.entries()) writeFileSync(file, texts[index] ?? '');
  const script = join(import.meta.dirname, 'wrk.lua');
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  const scriptArguments = [...files, randomUUID()];
  return lastLine(
    await runToEnd('wrk', [...options, url, '--', ...scriptArguments], seconds + GRACE_SECONDS),
  );
}

async function runAutocannon(load: Load, loadFile: string): Promise<LoadResult> {
  writeFileSync(loadFile, JSON.stringify(load));
  const settings = [join(import.meta.dirname, 'autocannon-load.ts'), loadFile];
  return lastLine(await runToEnd(process.execPath, settings, load.seconds + GRACE_SECONDS));
}

/** The request as text. Ids and keys have a fixed length, so the length of the body is known. */
function asHttp({ url, request: template, members, realms }: Load): string {
  const [member = '', other = ''] = members;
  const slots = { realm: realms[0] ?? '', member, other, key: randomUUID() };
  const { length } = fill(template, slots).body;
  const headers: Record<string, string> = { host: new URL(url).host, ...template.headers };
  if (length > 0) headers['content-length'] = String(length);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const start = `${template.method} ${template.path} HTTP/1.1`;
  return `${[start, ...lines].join('\r\n')}\r\n\r\n${template.body}`;
}

function lastLine(output: string): LoadResult {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as LoadResult;
  } catch {
    throw new Error(`the load generator failed: ${output}`);
  }
}
