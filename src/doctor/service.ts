import { get } from 'node:http';
import type { Config } from '../config/config.ts';
import { about, type Finding } from './finding.ts';

const ANSWER_MS = 5_000;
const PROBLEM = 'urn:realmkeep:problem:';
/** What happens to a connection whose other end does not speak HTTP. */
const NOT_HTTP = /^(HPE_\w+|ECONNRESET|EPIPE)$/;

/** Asks the service whether it is ready, if one runs at the configured address. */
export async function serviceFinding({ host, port }: Config): Promise<Finding> {
  const { ok, fault, skipped } = about('service');
  if (port === 0) return skipped('PORT is 0, so nobody knows where it listens.');
  const address = reachable(host);
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  try {
    const answer = JSON.parse(await readyz(address, port));
    if (answer?.status === 'ready') return ok(`A service runs at ${url} and is ready.`);
    if (String(answer?.type).startsWith(PROBLEM)) {
      return fault(`A service runs at ${url}, but is not ready: ${answer?.reason ?? ''}`);
    }
    return fault(otherProgram(url));
  } catch (error) {
    const { name, code = name } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') return skipped(`No service runs at ${url}.`);
    if (name === 'SyntaxError' || NOT_HTTP.test(code)) return fault(otherProgram(url));
    if (name === 'TimeoutError') {
      return fault(`What listens at ${url} does not answer within ${ANSWER_MS / 1_000} seconds.`);
    }
    return fault(`${url} cannot be reached (${code}). Check HOST and PORT.`);
  }
}

const otherProgram = (url: string): string =>
  `Another program listens at ${url}. Stop it, or set PORT and HOST.`;

/** A host that means every address is reached at a loopback one. */
const reachable = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host;

/** Not by `fetch`, which refuses some ports. */
function readyz(host: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(ANSWER_MS);
  const fail = (error: Error): void => reject(signal.aborted ? signal.reason : error);
  const request = get({ host, port, path: '/readyz', agent: false, signal }, (response) => {
    const parts: string[] = [];
    response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
    response.on('end', () => resolve(parts.join('')));
    response.on('error', fail);
  });
  request.on('error', fail);
  return promise;
}
