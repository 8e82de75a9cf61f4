import type { Transaction } from '@realmkeep/client';

type MovementType = Transaction['type'];

/** The types of movements in plain words. */
const NAMES: Record<MovementType, string> = {
  'points.opened': 'Opening balance',
  'points.added': 'Added',
  'points.subtracted': 'Taken',
  'points.transferred': 'Given',
  'points.captured': 'Set aside, taken',
  'points.reversed': 'Undone',
};

export const movementType = (text: string): MovementType | undefined =>
  text in NAMES ? (text as MovementType) : undefined;

export const movementName = (type: MovementType): string => NAMES[type];

export const MOVEMENT_CHOICES = [
  { value: '', label: 'All movements' },
  ...Object.entries(NAMES).map(([value, label]) => ({ value, label })),
];
