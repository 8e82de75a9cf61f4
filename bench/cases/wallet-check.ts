import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { parseAddress } from '../../src/web3/address.ts';
import type { Plan } from '../plan.ts';
import { type Child, startChild, startServer } from '../processes.ts';
import type { RawAnswer } from '../raw-wallets.ts';
import type { Ready } from '../servers/announce.ts';
import { median } from '../statistics.ts';
import { CHECK_SIZE, CHECKS, walletRealm, walletsOf } from '../wallets.ts';
import { bearer, pathOf } from './case.ts';

/** The maximum duration of a check, as a multiple of the look-ups by SQLite alone. */
export const WALLET_CHECK_AT_MOST = 2;

/** Checks of 10,000 wallets over HTTP, one after another, and the same look-ups by SQLite. */
export interface WalletCheckResult {
  asked: number;
  linked: number;
  /** Milliseconds of one check, from the request to the end of its answer. */
  ms: number;
  rawMs: number;
  /** Milliseconds of processor time that the server takes for one. */
  processorMs: number;
  /** The median of the ratios of the rounds. */
  ratio: number;
}

type Round = Pick<WalletCheckResult, 'ms' | 'rawMs' | 'processorMs' | 'ratio'>;
type Send = (check: number) => Promise<number>;

export async function measureWalletChecks(
  plan: Plan,
  folder: string,
  progress: (text: string) => void,
): Promise<WalletCheckResult> {
  progress('wallet checks of 10,000');
  const own = join(folder, 'wallets');
  mkdirSync(own);
  const server = await startServer('wallets', own);
  const raw = await startChild('raw-wallets.ts', own);
  const send = sender(server);
  const end = performance.now() + plan.firstWarmUp * 1_000;
  while (performance.now() < end) await measure(send, raw, async () => 0);
  const rounds: Round[] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    rounds.push(await measure(send, raw, server.processorTime));
    const { ms, rawMs } = rounds.at(-1) as Round;
    progress(`wallet checks, round ${round}: ${ms.toFixed(1)} ms, alone ${rawMs.toFixed(1)} ms`);
  }
  await Promise.all([server.stop(), raw.stop()]);
  const of = (name: keyof Round) => median(rounds.map((round) => round[name]));
  return {
    asked: CHECK_SIZE,
    linked: walletRealm.wallets,
    ms: of('ms'),
    rawMs: of('rawMs'),
    processorMs: of('processorMs'),
    ratio: of('ratio'),
  };
}

/** Each check over HTTP and then by SQLite alone, so that a slow moment affects both. */
async function measure(
  send: Send,
  raw: Child,
  processorTime: () => Promise<number>,
): Promise<Round> {
  const before = await processorTime();
  const [times, rawTimes]: [number[], number[]] = [[], []];
  for (let check = 0; check < CHECKS; check++) {
    times.push(await send(check));
    const { ms, included } = JSON.parse(await raw.ask(String(check))) as RawAnswer;
    if (included !== CHECK_SIZE / 2) throw new Error(`SQLite alone found ${included}`);
    rawTimes.push(ms);
  }
  const processorMs = ((await processorTime()) - before) / 1_000 / CHECKS;
  const [ms, rawMs] = [median(times), median(rawTimes)];
  return { ms, rawMs, processorMs, ratio: ms / rawMs };
}

/** Sends a check, its addresses with checksums; returns the latency in milliseconds. */
function sender(server: Ready): Send {
  const bodies = Array.from({ length: CHECKS }, (_, check) =>
    Buffer.from(JSON.stringify({ wallets: walletsOf(check).map(withChecksum) })),
  );
  const agent = new Agent({ keepAlive: true });
  const { realmId } = walletRealm;
  const url = server.url + pathOf(realmId, 'members/includes');
  const common = { ...bearer(server, realmId), 'content-type': 'application/json' };
  return (check) =>
    new Promise((resolve, reject) => {
      const body = bodies[check] as Buffer;
      const headers = { ...common, 'content-length': body.length };
      const start = performance.now();
      const call = request(url, { method: 'POST', agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.once('end', () => {
          const time = performance.now() - start;
          const fault = faultOf(answer.statusCode, Buffer.concat(chunks).toString());
          if (fault === null) resolve(time);
          else reject(new Error(fault));
        });
      });
      call.once('error', reject).end(body);
    });
}

function faultOf(status: number | undefined, text: string): string | null {
  if (status !== 200) return `a wallet check got ${status}`;
  const included = text.split('"included":true').length - 1;
  return included === CHECK_SIZE / 2 ? null : `a wallet check found ${included}`;
}

function withChecksum(key: string): string {
  const wallet = parseAddress(key);
  if ('fault' in wallet) throw new Error(`the wallet ${key} ${wallet.fault}`);
  return wallet.address;
}
