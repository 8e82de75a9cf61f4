import type { Needs, RealmFacts } from '../../domain/facts.ts';
import { decode } from '../tables/table.ts';
import type { Connection } from './connection.ts';
import type { FindRows } from './fact-statements.ts';
import type { RealmStatement } from './realm-statements.ts';

/** Adds a row that was found to the facts of its realm. */
export type AddRow<Row> = (facts: RealmFacts, row: Row) => void;

/** The properties of an object that have exactly this type. */
type PropertyOf<T, Value> = {
  [K in keyof T]: T[K] extends Value ? (Value extends T[K] ? K : never) : never;
}[keyof T];

/** Queries facts of all realms of a batch at once, and sends no query without keys. */
export class FactQueries {
  readonly #connection: Connection;
  readonly #needs: Needs[];
  readonly #facts: Map<string, RealmFacts>;

  constructor(connection: Connection, needs: Needs[], facts: Map<string, RealmFacts>) {
    this.#connection = connection;
    this.#needs = needs;
    this.#facts = facts;
  }

  /** All rows of a table that belong to these realms. */
  async ofRealms<Row>(
    { one, many, table }: FindRows<Row, []>,
    needs: Needs[],
    add: AddRow<Row>,
  ): Promise<void> {
    const realmIds = needs.map(({ realmId }) => realmId);
    const [first] = realmIds;
    if (first === undefined) return;
    const found =
      realmIds.length === 1
        ? this.#connection.query(one, first)
        : this.#connection.query(many, realmIds);
    this.#addAll(await found, (facts, row) => add(facts, decode(table, row)));
  }

  /** The rows of a table with the keys of one of the needs, added to one of the facts. */
  rows<Row, Key extends string | number>(
    find: FindRows<Row, [Key[]]>,
    need: PropertyOf<Needs, Set<Key>>,
    fact: PropertyOf<RealmFacts, Row[]>,
  ): Promise<void> {
    const keysOf = (needs: Needs) => needs[need] as Set<Key>;
    return this.lookUp(find, keysOf, (facts, row) => {
      (facts[fact] as Row[]).push(decode(find.table, row));
    });
  }

  async lookUp<Row extends { realm_id: string }, Key extends string | number>(
    { one, many }: RealmStatement<Row, [Key[]]>,
    keysOf: (needs: Needs) => Iterable<Key>,
    add: AddRow<Row>,
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
    const found =
      this.#needs.length === 1
        ? this.#connection.query(one, first, keys)
        : this.#connection.query(many, realmIds, keys);
    this.#addAll(await found, add);
  }

  #addAll<Row extends { realm_id: string }>(found: Row[], add: AddRow<Row>): void {
    for (const row of found) {
      const facts = this.#facts.get(row.realm_id);
      if (facts) add(facts, row);
    }
  }
}
