/** The types of movements in plain words. */
const NAMES = {
  'points.opened': 'Opening balance',
  'points.added': 'Added',
  'points.subtracted': 'Taken',
  'points.transferred': 'Given',
  'points.captured': 'Set aside, taken',
  'points.reversed': 'Undone',
} as const;

type MovementType = keyof typeof NAMES;

export const movementType = (text: string): MovementType | undefined =>
  text in NAMES ? (text as MovementType) : undefined;

export const movementName = (type: MovementType): string => NAMES[type];

export const MOVEMENT_CHOICES = [
  { value: '', label: 'All movements' },
  ...Object.entries(NAMES).map(([value, label]) => ({ value, label })),
];
