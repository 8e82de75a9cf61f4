import { randomBytes } from 'node:crypto';
import { type Child, startChild } from '../bench/processes.ts';
import { ServiceNode } from '../soak/service-node.ts';
import type { Attack, Strength } from './attack.ts';
import { LIGHT_REALM, LightRealm } from './light-realm.ts';
import type { Attacked, Job, Prepared } from './worker.ts';

/** As long as a stop may take, and a little more. */
const STOP_MS = 12_000;

const SETTINGS = {
  /** Beyond what any attack reaches, unless its realm has a limit of its own. */
  RATE_LIMIT: '1000000',
  /** For receivers on this machine. */
  WEBHOOK_ALLOW_PRIVATE: 'true',
};

interface StagePlan {
  databaseUrl: string;
  attacks: readonly Attack[];
  strength: Strength;
}

/** A database with the realms of some attacks and the light realm, and a service on it. */
export class Stage {
  readonly databaseUrl: string;
  readonly #strength: Strength;
  readonly #keys: Prepared;
  readonly #rootKey = randomBytes(32).toString('hex');
  readonly #workers: Child[];
  /** Those of them that have nothing to do. */
  readonly #idle: Child[];
  readonly #needsOther: boolean;
  #node: ServiceNode | null = null;
  /** Another process on the same database, if an attack needs one. */
  #other: ServiceNode | null = null;

  private constructor(plan: StagePlan, keys: Prepared, worker: Child) {
    this.databaseUrl = plan.databaseUrl;
    this.#strength = plan.strength;
    this.#needsOther = plan.attacks.some(({ needsOtherProcess }) => needsOtherProcess);
    this.#keys = keys;
    this.#workers = [worker];
    this.#idle = [worker];
  }

  static async prepare(
    databaseUrl: string,
    attacks: readonly Attack[],
    strength: Strength,
  ): Promise<Stage> {
    const names = attacks.map(({ name }) => name);
    const worker = await newWorker();
    const job: Job = { kind: 'prepare', databaseUrl, attacks: names, strength };
    const keys = JSON.parse(await worker.ask(JSON.stringify(job))) as Prepared;
    return new Stage({ databaseUrl, attacks, strength }, keys, worker);
  }

  /** Starts the service; also again, after it has stopped. */
  async start(): Promise<ServiceNode> {
    this.#node = await this.#startNode(1);
    if (this.#needsOther) this.#other ??= await this.#startNode(2);
    return this.#node;
  }

  #startNode(index: number): Promise<ServiceNode> {
    return ServiceNode.start(index, this.databaseUrl, this.#rootKey, SETTINGS);
  }

  lightRealm(): LightRealm {
    return new LightRealm(this.node.url, this.#keys[LIGHT_REALM] ?? '');
  }

  get node(): ServiceNode {
    if (!this.#node) throw new Error('the service was not started');
    return this.#node;
  }

  /** Brings an attacker into position; the function that it returns starts the attack. */
  async attacker(attack: Attack, seconds: number): Promise<() => Promise<Attacked>> {
    const worker = this.#idle.pop() ?? (await this.#addWorker());
    const job: Job = {
      kind: 'attack',
      attack: attack.name,
      strength: this.#strength,
      url: this.node.url.href,
      otherUrl: this.#other?.url.href ?? null,
      realmId: attack.name,
      key: this.#keys[attack.name] ?? '',
      rootKey: this.#rootKey,
      seconds,
    };
    return async () => {
      const attacked = JSON.parse(await worker.ask(JSON.stringify(job))) as Attacked;
      this.#idle.push(worker);
      return attacked;
    };
  }

  async #addWorker(): Promise<Child> {
    const worker = await newWorker();
    this.#workers.push(worker);
    return worker;
  }

  /** Stops the service like an operator, who kills it if it hangs. Returns whether it stopped. */
  async stop(): Promise<boolean> {
    const stopped = await Promise.all([this.node, this.#other].map((node) => !node || stop(node)));
    return stopped.every(Boolean);
  }

  /** Ends every process that is left, so that this one can end. */
  async close(): Promise<void> {
    await Promise.all([this.#node?.stop('SIGKILL'), this.#other?.stop('SIGKILL')]);
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }
}

async function stop(node: ServiceNode): Promise<boolean> {
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    void node.stop('SIGKILL');
  }, STOP_MS);
  await node.stop();
  clearTimeout(timer);
  return !isHung;
}

const newWorker = (): Promise<Child> => startChild('../siege/worker.ts', '');
