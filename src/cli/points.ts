import { hash, randomUUID } from 'node:crypto';
import { OperatorError } from '../config/operator-error.ts';
import { operations } from '../contract/operations.ts';
import { InDoubt } from '../ledger/errors.ts';
import { define } from './command.ts';
import { asCli, checkArguments, executeOnce, withLedger } from './with-ledger.ts';

export const addPoints = define({
  summary: 'Adds points to a member; a negative number subtracts.',
  notes:
    'The journal names "cli" as the actor. Running it twice adds the points twice, unless both\n' +
    'have the same --key. If the outcome is unknown, the message says which key to repeat it with.',
  args: ['realm', 'member', 'tokens'],
  options: {
    description: { value: '<text>', help: 'The reason, for the statement.' },
    kind: { value: '<id>', help: 'The kind of points. Default: the one of the realm.' },
    key: { value: '<text>', help: 'An idempotency key, as in the API: once for each key.' },
  },
  example: 'npx realmkeep points add acme 80351110224678912 50 --description "Quest reward"',
  async run({ args: { realm, member, tokens: typed }, values, print }) {
    const tokens = /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN;
    const { description, kind, key = `cli-${randomUUID()}` } = values;
    const body = {
      tokens,
      ...(description !== undefined && { description }),
      ...(kind !== undefined && { realmPointId: kind }),
    };
    const params = { realmID: realm, memberID: member };
    const headers = { 'idempotency-key': key };
    checkArguments(operations.changePoints, { params, body, headers });
    const entry = {
      memberId: member,
      tokens,
      description: description ?? null,
      // As in the API, an empty one means the default kind.
      realmPointId: kind || null,
    };
    const idempotency = { key, fingerprint: fingerprintOf(entry) };
    const command = { ...asCli(realm), type: 'points.change' as const, ...entry, idempotency };
    const { answer, replayed } = await withLedger((ledger) => executeOnce(ledger, command)).catch(
      (error) => {
        throw error instanceof InDoubt ? toRepeat(error, key) : error;
      },
    );
    const { newBalance, realmPointId, transactionId } = answer;
    const change = tokens > 0 ? `Added ${shown(tokens)} to` : `Subtracted ${shown(-tokens)} from`;
    const [when, then] = replayed ? ['An earlier run did this: ', 'was then'] : ['', 'is now'];
    print({
      text:
        `${when}${change} member ${member} of realm ${realm}. The balance in ${realmPointId} ` +
        `${then} ${shown(newBalance)} (transaction ${transactionId}).`,
      json: { ...answer, replayed },
    });
  },
});

/** Another command under the same key is refused. */
const fingerprintOf = (entry: object): string =>
  hash('sha256', `points add ${JSON.stringify(entry)}`, 'base64url');

const toRepeat = ({ message }: InDoubt, key: string): OperatorError =>
  new OperatorError(
    'outcome-unknown',
    `The database failed during the write: ${message}. The points may have been added. Run it ` +
      `again with --key ${key}: then they are added once.`,
  );

const shown = (points: number): string => points.toLocaleString('en');
