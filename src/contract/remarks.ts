import type { Metadata as MetadataModel } from '../domain/model.ts';
import { Type } from './type.ts';

/** What callers say of a movement or a hold, besides its description. */
export const Reference = Type.String({
  pattern: '^[\\x21-\\x7e]{1,128}$',
  description: 'Your own id of the matter, such as an order. Several movements may share one.',
  examples: ['order-7'],
  fault: 'must be 1 to 128 visible ASCII characters',
});

const MAX_BYTES = 2_048;

export const Metadata = Type.Unsafe<MetadataModel>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { minLength: 1, maxLength: 64, fault: 'must have names of 1 to 64 characters' },
  additionalProperties: {
    type: ['string', 'number', 'boolean'],
    maxLength: 500,
    fault: 'must be text of at most 500 characters, a number, true or false',
  },
  exact: { maxBytes: MAX_BYTES },
  description: 'Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all.',
  examples: [{ item: 'hat' }],
  fault: `must be an object of at most 20 fields and ${MAX_BYTES} bytes, integers up to 2^53-1`,
});

/** Of a request and of an answer. */
export const details = {
  reference: Type.Optional(Reference),
  metadata: Type.Optional(Metadata),
};

export const ON_BEHALF_OF_HEADER = 'x-realmkeep-on-behalf-of';

const onBehalfOf = {
  pattern: '^[\\x21-\\x7e]{1,128}$',
  examples: ['discord:80351110224678912'],
};

export const OnBehalfOf = Type.String({
  ...onBehalfOf,
  description: 'For whom the call is made. The journal has it beside the actor, which is the key.',
  fault: 'must be a single header of 1 to 128 visible ASCII characters',
});

/** Of an answer, beside the actor. */
export const shownOnBehalfOf = Type.Optional(
  Type.String({ ...onBehalfOf, description: 'For whom the actor did it, if it said so.' }),
);

/** Of an answer: who did it, and for whom. */
export const caller = {
  actor: Type.String({
    description: 'The caller: `root`, `cli` or `key:<public id>`, and its session if any.',
    examples: ['key:k3Jx81PzQw2m'],
  }),
  onBehalfOf: shownOnBehalfOf,
};
