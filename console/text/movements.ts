/** The types of movements in plain words. */
const NAMES: Record<string, string> = {
  'points.opened': 'Brought along',
  'points.added': 'Added',
  'points.subtracted': 'Taken',
  'points.transferred': 'Given',
  'points.captured': 'Taken from what was set aside',
  'points.reversed': 'Undone',
};

export const movementName = (type: string): string => NAMES[type] ?? type;

export const MOVEMENT_CHOICES = [
  { value: '', label: 'All movements' },
  ...Object.entries(NAMES).map(([value, label]) => ({ value, label })),
];
