import { type BrokenSetUp, run } from './broken-set-ups.ts';

/** Databases that somebody has changed by SQL. */
export const changedByHand: BrokenSetUp[] = [
  {
    name: 'a trigger that adds points',
    storage: 'postgres',
    setUp: run(
      `CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN NEW.balance := NEW.balance + 1; RETURN NEW; END'`,
      'CREATE TRIGGER more BEFORE UPDATE ON balances FOR EACH ROW EXECUTE FUNCTION more()',
    ),
    check: 'migrations',
    verdict: 'fault',
    detail: /not that of this program: there is the trigger balances\.more\. Find out who/,
  },
  {
    name: 'a column and an index that are missing',
    storage: 'postgres',
    setUp: run('ALTER TABLE members DROP COLUMN erased_at', 'DROP INDEX holds_open'),
    check: 'migrations',
    verdict: 'fault',
    detail: /there is no column members\.erased_at bigint, and 1 more\./,
  },
  {
    name: 'a rule that drops records',
    storage: 'postgres',
    setUp: run('CREATE RULE less AS ON DELETE TO sessions DO INSTEAD NOTHING'),
    check: 'migrations',
    verdict: 'fault',
    detail: /there is the rule sessions\.less\./,
  },
  {
    name: 'a table with another column',
    storage: 'sqlite',
    setUp: run('ALTER TABLE holds ADD COLUMN more TEXT'),
    check: 'database',
    verdict: 'fault',
    detail: /is damaged: the table holds is not as this program has made it\./,
  },
  {
    name: 'a name that nobody has given',
    setUp: run("UPDATE members SET username = 'mallory'"),
    check: 'journal',
    verdict: 'fault',
    detail: /^acme: the username differs from the journal\. Run "npx realmkeep verify"/,
  },
  {
    name: 'holds that were opened again',
    setUp: run("UPDATE holds SET captured = 0, status = 'open'"),
    check: 'journal',
    verdict: 'fault',
    detail: /^acme: hold \d+ is open, but not in the journal/,
  },
];
