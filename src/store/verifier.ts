import { randomBytes } from 'node:crypto';
import type { Reader, VerificationQuery } from '../domain/queries.ts';
import type { Verdict, Verification } from '../domain/rules/audit.ts';
import { Unavailable } from '../engine/errors.ts';
import { type Snapshot, verifySnapshot, type Watch } from './verification.ts';

/** Realms that may wait for their check. */
const MAX_QUEUED = 1_000;
/** Finished checks of a realm that can still be looked up. */
const MAX_FINISHED = 3;

/** Opens a snapshot for the duration of a check; returns null if there is no such realm. */
export type WithSnapshot = (
  realmId: string,
  check: (snapshot: Snapshot) => Promise<Verdict>,
) => Promise<Verdict | null>;

interface Check {
  state: Verification;
  verdict: PromiseWithResolvers<Verdict | null>;
}

/**
 * Checks realms one after another, since each check occupies a connection and keeps an old state of
 * the database alive. A realm waits at most once: who asks for a check that is queued or running
 * shares it. So a realm that asks again and again waits behind all others each time.
 */
export class Verifier {
  readonly reader: Pick<Reader, VerificationQuery> = {
    verify: ({ realmId }) => this.#checkOf(realmId).verdict.promise,
    startVerification: ({ realmId }) => ({ ...this.#checkOf(realmId).state }),
    verification: ({ realmId, id }) => this.#find(realmId, id),
  };

  readonly #withSnapshot: WithSnapshot;
  /** The checks that are not finished, by realm; the first one is running. */
  readonly #unfinished = new Map<string, Check>();
  readonly #finished = new Map<string, Verification[]>();
  #running: Promise<void> | null = null;
  #isStopping = false;

  constructor(withSnapshot: WithSnapshot) {
    this.#withSnapshot = withSnapshot;
  }

  /** Ends the check that is running, and fails those that are queued. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  #checkOf(realmId: string): Check {
    const unfinished = this.#unfinished.get(realmId);
    if (unfinished) return unfinished;
    if (this.#isStopping) throw stopping();
    if (this.#unfinished.size >= MAX_QUEUED) {
      throw new Unavailable('overloaded', 'too many realms wait for a check');
    }
    const id = randomBytes(9).toString('base64url');
    const progress = { step: null, checked: 0, total: null, result: null };
    const check: Check = {
      state: { id, realmId, status: 'queued', ...progress },
      verdict: Promise.withResolvers(),
    };
    // A caller that looks the check up later does not await it.
    check.verdict.promise.catch(() => undefined);
    this.#unfinished.set(realmId, check);
    this.#running ??= this.#runAll();
    return check;
  }

  #find(realmId: string, id: string): Verification | null {
    const unfinished = this.#unfinished.get(realmId)?.state;
    if (unfinished?.id === id) return { ...unfinished };
    return this.#finished.get(realmId)?.find((each) => each.id === id) ?? null;
  }

  async #runAll(): Promise<void> {
    for (const [realmId, check] of this.#unfinished) {
      await this.#run(check);
      this.#unfinished.delete(realmId);
      this.#keep(check.state);
    }
    this.#running = null;
  }

  async #run({ state, verdict }: Check): Promise<void> {
    const watch: Watch = {
      onProgress: (step, checked, total) => {
        if (this.#isStopping) throw stopping();
        Object.assign(state, { step, checked, total });
      },
    };
    try {
      if (this.#isStopping) throw stopping();
      state.status = 'running';
      const check = (snapshot: Snapshot) => verifySnapshot(snapshot, watch);
      state.result = await this.#withSnapshot(state.realmId, check);
      state.status = 'done';
      verdict.resolve(state.result);
    } catch (error) {
      state.status = 'failed';
      verdict.reject(error);
    }
  }

  /** The oldest of a realm are forgotten first, then the realm that was checked longest ago. */
  #keep(state: Verification): void {
    const { realmId } = state;
    const own = [...(this.#finished.get(realmId) ?? []), state].slice(-MAX_FINISHED);
    this.#finished.delete(realmId);
    this.#finished.set(realmId, own);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > MAX_QUEUED && oldest !== undefined) this.#finished.delete(oldest);
  }
}

const stopping = (): Unavailable => new Unavailable('overloaded', 'the service is stopping');
