import { type Call, type Ending, SteadyCalls } from './steady-calls.ts';
import type { Write } from './writes.ts';

export const LIGHT_REALM = 'light';
export const LIGHT_MEMBERS = 20;

/** Refusals that say that nothing was written. */
const UNDONE = ['overloaded', 'storage-unavailable', 'storage-full'];

/** What a small community's bot asks for in turn. */
const READS = [
  (memberId: number) => `/members/${memberId}`,
  (memberId: number) => `/members/${memberId}/transactions?limit=10`,
  (memberId: number) => `/members/${memberId}/balance`,
  () => '/leaderboard?limit=10',
  () => '/members?search=member&limit=10',
];

/** The realm that does nothing but one read and one write every 50 ms. */
export class LightRealm {
  readonly reads: SteadyCalls;
  readonly writeCalls: SteadyCalls;
  readonly writes: Write[] = [];
  readonly #key: string;
  #reads = 0;
  #credits = 0;

  constructor(url: URL, key: string) {
    this.#key = key;
    this.reads = new SteadyCalls(url, () => this.#nextRead());
    this.writeCalls = new SteadyCalls(
      url,
      () => this.#nextCredit(),
      (call, ending) => this.#record(call, ending),
    );
  }

  get calls(): SteadyCalls[] {
    return [this.reads, this.writeCalls];
  }

  /** Sends the writes of unknown outcome again; under the same keys they take effect once. */
  async repeat(unknown: readonly Write[]): Promise<Ending[]> {
    return Promise.all(unknown.map(({ mark }) => this.writeCalls.send(this.#credit(mark))));
  }

  #nextRead(): Call {
    this.#reads += 1;
    const path = READS[this.#reads % READS.length]?.(1 + (this.#reads % LIGHT_MEMBERS)) ?? '';
    return { method: 'GET', path: pathOf(path), headers: this.#headers() };
  }

  #nextCredit(): Call {
    this.#credits += 1;
    return this.#credit(`light-${process.pid}-${this.#credits}-${Date.now()}`);
  }

  /** The member follows from the mark, so that a repeated credit is the same request. */
  #credit(mark: string): Call {
    const memberId = 1 + (Number(mark.split('-')[2]) % LIGHT_MEMBERS);
    return {
      method: 'PATCH',
      path: pathOf(`/members/${memberId}/tokenBalance`),
      headers: {
        ...this.#headers(),
        'content-type': 'application/json',
        'idempotency-key': mark,
      },
      body: JSON.stringify({ tokens: 1, description: mark }),
    };
  }

  #record({ headers }: Call, ending: Ending): void {
    const mark = headers['idempotency-key'] ?? '';
    this.writes.push({ mark, records: 1, fate: fateOf(ending) });
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#key}` };
  }
}

const pathOf = (rest: string): string => `/api/v4/realms/${LIGHT_REALM}${rest}`;

function fateOf({ status, reason }: Ending): Write['fate'] {
  if (status === 200) return 'done';
  const isUndone = status !== null && (status < 500 || UNDONE.includes(reason));
  return isUndone ? 'refused' : 'unknown';
}
