import { operations } from '../contract/operations.ts';
import { define } from './command.ts';
import { asCli, checkArguments, execute, withLedger } from './with-ledger.ts';

export const addPoints = define({
  summary: 'Adds points to a member; a negative number subtracts.',
  notes: 'The journal names "cli" as the actor. Running it twice adds the points twice.',
  args: ['realm', 'member', 'tokens'],
  options: {
    description: { value: '<text>', help: 'The reason, for the statement.' },
    kind: { value: '<id>', help: 'The kind of points. Default: the one of the realm.' },
  },
  example: 'npx realmkeep points add acme 80351110224678912 50 --description "Quest reward"',
  async run({ args: { realm, member, tokens: typed }, values, print }) {
    const tokens = /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN;
    const { description, kind } = values;
    const body = {
      tokens,
      ...(description !== undefined && { description }),
      ...(kind !== undefined && { realmPointId: kind }),
    };
    const params = { realmID: realm, memberID: member };
    checkArguments(operations.changePoints, { params, body });
    const entry = {
      memberId: member,
      tokens,
      description: description ?? null,
      // As in the API, an empty one means the default kind.
      realmPointId: kind || null,
    };
    const changed = await withLedger((ledger) =>
      execute(ledger, { ...asCli(realm), type: 'points.change', ...entry }),
    );
    const { newBalance, realmPointId, transactionId } = changed;
    const change = tokens > 0 ? `Added ${shown(tokens)} to` : `Subtracted ${shown(-tokens)} from`;
    print({
      text:
        `${change} member ${member} of realm ${realm}. The balance in ${realmPointId} is now ` +
        `${shown(newBalance)} (transaction ${transactionId}).`,
      json: { ...changed },
    });
  },
});

const shown = (points: number): string => points.toLocaleString('en');
