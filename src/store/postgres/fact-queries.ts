import type { Needs, RealmFacts } from '../../domain/facts.ts';
import type { Connection } from './connection.ts';
import type { RealmStatement } from './realm-statements.ts';

export type Take<Row> = (facts: RealmFacts, row: Row) => void;

/** Asks for the keys of all realms at once, unless there are none. */
export class Asking {
  readonly #connection: Connection;
  readonly #needs: Needs[];
  readonly #facts: Map<string, RealmFacts>;

  constructor(connection: Connection, needs: Needs[], facts: Map<string, RealmFacts>) {
    this.#connection = connection;
    this.#needs = needs;
    this.#facts = facts;
  }

  async ofRealms<Row extends { realm_id: string }>(
    { one, many }: RealmStatement<Row, []>,
    needs: Needs[],
    take: Take<Row>,
  ): Promise<void> {
    const realmIds = needs.map(({ realmId }) => realmId);
    const [first] = realmIds;
    if (first === undefined) return;
    const isOne = realmIds.length === 1;
    const found = isOne
      ? this.#connection.query(one, first)
      : this.#connection.query(many, realmIds);
    this.#takeAll(await found, take);
  }

  async for<Row extends { realm_id: string }, Key extends string | number>(
    { one, many }: RealmStatement<Row, [Key[]]>,
    keysOf: (needs: Needs) => Iterable<Key>,
    take: Take<Row>,
  ): Promise<void> {
    const realmIds: string[] = [];
    const keys: Key[] = [];
    for (const needs of this.#needs) {
      for (const key of keysOf(needs)) {
        realmIds.push(needs.realmId);
        keys.push(key);
      }
    }
    const [first] = realmIds;
    if (first === undefined) return;
    const isOne = this.#needs.length === 1;
    const found = isOne
      ? this.#connection.query(one, first, keys)
      : this.#connection.query(many, realmIds, keys);
    this.#takeAll(await found, take);
  }

  #takeAll<Row extends { realm_id: string }>(found: Row[], take: Take<Row>): void {
    for (const row of found) {
      const facts = this.#facts.get(row.realm_id);
      if (facts) take(facts, row);
    }
  }
}
