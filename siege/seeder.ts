import { assertAccepted, createRealm } from '../bench/community.ts';
import type { CommandName, CommandOf, MemberFields, Outcome } from '../src/domain/commands.ts';
import { type Address, FIRST_KIND, type RateLimit } from '../src/domain/model.ts';
import type { Ledger } from '../src/ledger/ledger.ts';

/** As many commands and entries as may wait of a realm, whatever they cost. */
const COMMANDS_AT_ONCE = 100;
const ENTRIES_AT_ONCE = 1_000;
const HOLD_SECONDS = 86_400;

interface Profile {
  fields?: MemberFields;
  wallets?: Address[];
}

/** Fills a realm through the rules, so that its books can be verified afterwards. */
export class Seeder {
  readonly #ledger: Ledger;
  readonly #realmId: string;

  private constructor(ledger: Ledger, realmId: string) {
    this.#ledger = ledger;
    this.#realmId = realmId;
  }

  /** Creates the realm and a key that may do everything in it. */
  static async create(ledger: Ledger, realmId: string): Promise<{ seeder: Seeder; key: string }> {
    const key = await createRealm(ledger, realmId, ['admin']);
    return { seeder: new Seeder(ledger, realmId), key };
  }

  /** Another realm, which only the root key opens. */
  async another(realmId: string): Promise<Seeder> {
    return (await Seeder.create(this.#ledger, realmId)).seeder;
  }

  async limit(rateLimit: RateLimit): Promise<void> {
    const command = this.#command('realm.update', { settings: { rateLimit } });
    assertAccepted(await this.#ledger.execute(command));
  }

  /** Members with the ids 1 to `count`. */
  async members(count: number, profileOf: (id: number) => Profile = () => ({})): Promise<void> {
    await this.#each(count, (index) => {
      const { fields = {}, wallets = [] } = profileOf(index + 1);
      return this.#command('member.create', { memberId: String(index + 1), fields, wallets });
    });
  }

  /** Credits that go round the first members. */
  async credits(
    members: number,
    count: number,
    tokens: number | ((index: number) => number) = 1,
    description: string | null = null,
  ): Promise<void> {
    for (let from = 0; from < count; from += ENTRIES_AT_ONCE) {
      const length = Math.min(ENTRIES_AT_ONCE, count - from);
      const entries = Array.from({ length }, (_, index) => ({
        memberId: String(1 + ((from + index) % members)),
        tokens: typeof tokens === 'number' ? tokens : tokens(from + index),
        realmPointId: null,
        description,
      }));
      const command = this.#command('points.batch', { atomic: true, entries });
      assertAccepted(await this.#ledger.execute(command));
    }
  }

  /** More kinds of points, with a point of each for the first member. */
  async kinds(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, index) => `kind${index + 1}`);
    await this.#each(count, (index) => {
      const id = ids[index] as string;
      return this.#command('kind.create', {
        kind: { ...FIRST_KIND, id, name: id, isDefault: false },
      });
    });
    const entries = ids.map((realmPointId) => {
      return { memberId: '1', tokens: 1, realmPointId, description: null };
    });
    const command = this.#command('points.batch', { atomic: true, entries });
    assertAccepted(await this.#ledger.execute(command));
  }

  /** Open holds of one point that go round the first members. */
  async holds(members: number, count: number): Promise<void> {
    await this.#each(count, (index) =>
      this.#command('hold.create', {
        memberId: String(1 + (index % members)),
        tokens: 1,
        realmPointId: null,
        description: null,
        expiresInSeconds: HOLD_SECONDS,
      }),
    );
  }

  async #each<N extends CommandName>(
    count: number,
    commandAt: (index: number) => CommandOf<N>,
  ): Promise<void> {
    for (let from = 0; from < count; from += COMMANDS_AT_ONCE) {
      const length = Math.min(COMMANDS_AT_ONCE, count - from);
      const done: Promise<Outcome>[] = Array.from({ length }, (_, index) =>
        this.#ledger.execute(commandAt(from + index)),
      );
      for (const outcome of await Promise.all(done)) assertAccepted(outcome);
    }
  }

  #command<N extends CommandName>(
    type: N,
    rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
  ): CommandOf<N> {
    const common = { type, realmId: this.#realmId, actor: 'cli', idempotency: null };
    // The compiler does not see that the parts make up the whole.
    return { ...common, ...rest } as unknown as CommandOf<N>;
  }
}
