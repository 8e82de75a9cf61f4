import { randomBytes } from 'node:crypto';
import type { QueryParams, Reader, VerificationQuery } from '../domain/queries.ts';
import type { Verdict, Verification } from '../domain/rules/audit.ts';
import { Unavailable } from '../ledger/errors.ts';
import { type OnProgress, type Run, verifyRealm } from './verification.ts';

/** Realms that may wait for their check. */
const MAX_QUEUED = 1_000;
/** Finished checks of a realm that can still be looked up. */
const MAX_FINISHED = 3;

/** Opens a snapshot of the database for the duration of a check. */
export type InSnapshot = (check: (run: Run) => Promise<Verdict | null>) => Promise<Verdict | null>;

type NamedRealm = QueryParams<'startVerification'>;

/**
 * Checks realms one after another, since each check occupies a connection and keeps an old state of
 * the database alive. A realm waits at most once: who asks for a check that is queued or running
 * shares it. So a realm that asks again and again waits behind all others each time.
 */
export class Verifier {
  readonly reader: Pick<Reader, VerificationQuery> = {
    startVerification: (realm) => ({ ...this.#checkOf(realm) }),
    verification: ({ id, ...realm }) => this.#find(realm, id),
  };

  readonly #inSnapshot: InSnapshot;
  /** The checks that are not finished, by the realm's name; the first one is running. */
  readonly #unfinished = new Map<string, Verification>();
  readonly #finished = new Map<string, Verification[]>();
  #running: Promise<void> | null = null;
  #isStopping = false;

  constructor(inSnapshot: InSnapshot) {
    this.#inSnapshot = inSnapshot;
  }

  /** Ends the check that is running, and fails those that are queued. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  #checkOf(realm: NamedRealm): Verification {
    const name = nameOf(realm);
    const unfinished = this.#unfinished.get(name);
    if (unfinished) return unfinished;
    if (this.#isStopping) throw stopping();
    if (this.#unfinished.size >= MAX_QUEUED) {
      throw new Unavailable('overloaded', 'too many realms wait for a check');
    }
    const id = randomBytes(9).toString('base64url');
    const progress = { step: null, checked: 0, total: null, result: null };
    const check: Verification = { id, realmId: realm.realmId, status: 'queued', ...progress };
    this.#unfinished.set(name, check);
    this.#running ??= this.#runAll();
    return check;
  }

  #find(realm: NamedRealm, id: string): Verification | null {
    const name = nameOf(realm);
    const unfinished = this.#unfinished.get(name);
    if (unfinished?.id === id) return { ...unfinished };
    return this.#finished.get(name)?.find((each) => each.id === id) ?? null;
  }

  async #runAll(): Promise<void> {
    for (const [name, check] of this.#unfinished) {
      await this.#run(check);
      this.#unfinished.delete(name);
      this.#keep(name, check);
    }
    this.#running = null;
  }

  async #run(state: Verification): Promise<void> {
    const onProgress: OnProgress = (step, checked, total) => {
      if (this.#isStopping) throw stopping();
      Object.assign(state, { step, checked, total });
    };
    try {
      if (this.#isStopping) throw stopping();
      state.status = 'running';
      const check = (run: Run) => verifyRealm(run, state.realmId, onProgress);
      state.result = await this.#inSnapshot(check);
      state.status = 'done';
    } catch {
      state.status = 'failed';
    }
  }

  /** The oldest of a realm are forgotten first, then the realm that was checked longest ago. */
  #keep(name: string, state: Verification): void {
    const own = [...(this.#finished.get(name) ?? []), state].slice(-MAX_FINISHED);
    this.#finished.delete(name);
    this.#finished.set(name, own);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > MAX_QUEUED && oldest !== undefined) this.#finished.delete(oldest);
  }
}

/** A later realm of the same id is another one: it neither shares nor sees the checks of this. */
const nameOf = ({ realmId, createdAt }: NamedRealm): string => `${realmId} ${createdAt}`;

const stopping = (): Unavailable => new Unavailable('overloaded', 'the service is stopping');
