import type { Transaction } from '@realmkeep/client';

type MovementType = Transaction['type'];

/** The types of movements in plain words. */
const NAMES: Record<MovementType, string> = {
  'points.opened': 'Opening balance',
  'points.added': 'Added',
  'points.subtracted': 'Taken',
  'points.transferred': 'Given',
  'points.captured': 'Captured',
  'points.reversed': 'Reversed',
  'offer.claimed': 'Claimed',
  'claim.rejected': 'Claim rejected',
};

export const movementType = (text: string): MovementType | undefined =>
  text in NAMES ? (text as MovementType) : undefined;

export const movementName = (type: MovementType): string => NAMES[type];

export const MOVEMENT_CHOICES = [
  { value: '', label: 'All movements' },
  ...Object.entries(NAMES).map(([value, label]) => ({ value, label })),
];

/** What a file of movements has of each. */
export const MOVEMENT_COLUMNS = [
  ...(['transactionId', 'at', 'type', 'memberId', 'counterpartyId', 'realmPointId'] as const),
  ...(['tokens', 'balance', 'description', 'reference', 'actor'] as const),
];
