import type { TSchema } from 'typebox';
import { PersonId } from './operations/people.ts';
import { PasskeyId } from './operations/sessions.ts';
import * as s from './schemas.ts';
import { Type } from './type.ts';

export const IdempotencyKey = Type.String({
  pattern: '^[\\x21-\\x7e]{1,255}$',
  description: 'Retries with the same key and the same request take effect once.',
  fault: 'must be a single header of 1 to 255 visible ASCII characters',
});

export const pathParameters = {
  realmID: s.RealmId,
  memberID: s.MemberId,
  realmPointId: s.RealmPointId,
  assetId: s.AssetId,
  transactionID: recordNumber('The number of a transaction.'),
  holdID: recordNumber('The number of a hold.'),
  offerID: s.OfferId,
  claimID: recordNumber('The number of a claim.'),
  seq: recordNumber('The number of an event.'),
  address: s.addressIn('The address of a wallet, in any form that the wallet check accepts.', {
    examples: [s.WALLET],
    fault: `must be a wallet address of at most ${s.MAX_WALLET_TEXT} characters`,
  }),
  keyID: assignedId('key', 'k3Jx81PzQw2m', 'The public id of a key.'),
  personID: PersonId,
  passkeyID: PasskeyId,
  sessionID: assignedId('session', 'Vb81PzQw2mk3'),
  webhookID: assignedId('webhook', 'q7Lm20RtYb5c'),
  deliveryID: recordNumber('The number of a delivery.', '1794821400000000'),
  verificationID: Type.String({
    pattern: '^[0-9A-Za-z_-]{1,64}$',
    description: 'The id of a check.',
    examples: ['kP3xVq81mZ0a'],
    fault: 'must be the id of a check: letters, digits, hyphens and underscores',
  }),
} satisfies Record<string, TSchema>;

export type ParameterName = keyof typeof pathParameters;

/** Of as many digits as its example may have: a record has up to 15. */
function recordNumber(description: string, example = '982'): TSchema {
  const digits = Math.max(15, example.length);
  return Type.String({
    pattern: `^[1-9][0-9]{0,${digits - 1}}$`,
    description,
    examples: [example],
    fault: `must be an integer from 1, of at most ${digits} digits, without leading zeros`,
  });
}

function assignedId(noun: string, example: string, description = `The id of a ${noun}.`): TSchema {
  return Type.String({
    pattern: '^[0-9A-Za-z]{1,64}$',
    description,
    examples: [example],
    fault: `must be the id of a ${noun}, which has only letters and digits`,
  });
}

export const pathParameterNames = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '');

/** The parameters of a path with their schemas. */
export const pathFields = (path: string): Record<string, TSchema> =>
  Object.fromEntries(
    pathParameterNames(path).map((name) => [name, pathParameters[name as ParameterName] ?? {}]),
  );
