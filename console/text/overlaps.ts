/** How long a key or secret that is replaced goes on, and what it does meanwhile. */
export const overlapChoices = (does: 'Works' | 'Signs') => [
  { value: '0', label: 'Stops at once' },
  { value: '3600', label: `${does} for another hour` },
  { value: '86400', label: `${does} for another day` },
];
