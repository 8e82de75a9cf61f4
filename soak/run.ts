import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { crashes, soak, threeNodes } from './scenarios.ts';

const USAGE = `Usage: npm run soak -- [--seconds <n>] [--kills <n>] [--away <n>] [--seed <n>]

  --seconds <n>  how long three nodes are under load; 0 skips it (60)
  --kills <n>    how often PostgreSQL is killed under load; 0 skips it (10)
  --away <n>     how many seconds it stays down at most (3)
  --seed <n>     repeats the load of an earlier run; the timing of answers differs`;

const options = {
  seconds: { type: 'string', default: '60' },
  kills: { type: 'string', default: '10' },
  away: { type: 'string', default: '3' },
  seed: { type: 'string', default: String(randomInt(2 ** 32)) },
  help: { type: 'boolean', default: false },
} as const;

function wholeNumber(name: 'seconds' | 'kills' | 'away' | 'seed', typed: string): number {
  if (/^\d{1,10}$/.test(typed)) return Number(typed);
  throw new Error(`--${name} must be a whole number.\n${USAGE}`);
}

const startedAt = performance.now();
const log = (line: string): void => {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${line}\n`);
};

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  const seed = wholeNumber('seed', values.seed);
  const seconds = wholeNumber('seconds', values.seconds);
  const kills = wholeNumber('kills', values.kills);
  const awayMs = wholeNumber('away', values.away) * 1_000;
  console.log(`Seed ${seed}`);
  const scenarios = [
    ...(seconds > 0 ? [threeNodes(seconds)] : []),
    ...(kills > 0 ? [crashes(kills, awayMs)] : []),
  ];
  let isGood = true;
  for (const scenario of scenarios) {
    const findings = await soak(seed, [scenario], log);
    console.log(`\n${scenario.title}\n${findings.text()}`);
    isGood &&= findings.isGood;
  }
  return isGood;
}

// An exit also stops the processes that it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = (await main()) ? 0 : 1;
