/** What must hold under every attack, on two cores. */
export const BARS = {
  lightFailures: 0,
  lightP99: 250,
  healthP99: 100,
  /** In bytes, on SQLite. On PostgreSQL much of the memory is the database's own. */
  memory: 500_000_000,
};

/** The quantiles are in milliseconds. */
export interface Figures {
  calls: number;
  p50: number;
  p99: number;
  worst: number;
  /** By reason. */
  failures: Record<string, number>;
}

export interface Result {
  attack: string;
  database: 'sqlite' | 'postgres';
  seconds: number;
  light: Figures;
  health: Figures;
  /** The p99 of how late calls were sent: what the machine adds to all figures, in milliseconds. */
  lateness: number;
  /** The attacker's answers by status. */
  answers: Record<string, number>;
  /** The largest resident memory in bytes; null where it cannot be read. */
  memory: number | null;
  isAlive: boolean;
  /** What is wrong with the answers to the attacker, or with the books afterwards. */
  faults: string[];
}

export const failuresIn = ({ failures }: Figures): number =>
  Object.values(failures).reduce((sum, count) => sum + count, 0);

/** The bars that a result misses, and its faults. */
export function missed(result: Result): string[] {
  const { light, health, answers, memory, isAlive, database, faults } = result;
  const bars = {
    'the process is dead': !isAlive,
    'the light realm failed': failuresIn(light) > BARS.lightFailures,
    'the light realm is slow': !(light.p99 <= BARS.lightP99),
    '/healthz is slow': !(health.p99 <= BARS.healthP99) || failuresIn(health) > 0,
    'the attacker found a bug (500)': (answers[500] ?? 0) > 0,
    'too much memory': database === 'sqlite' && (memory ?? 0) > BARS.memory,
  };
  const names = Object.entries(bars).flatMap(([name, isMissed]) => (isMissed ? [name] : []));
  return [...names, ...faults];
}
