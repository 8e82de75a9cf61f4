import type { IconName } from './icons.ts';

/** A line drawing of 120 by 80: what is filled softly, its lines, and its one accent. */
interface Drawing {
  soft: string;
  lines: string;
  accent: string;
}

const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const PEOPLE: Drawing = {
  soft: `${circle(60, 46, 30)}`,
  lines:
    `${circle(60, 30, 10)}${circle(30, 38, 7)}${circle(90, 38, 7)}` +
    'M40 66c1-13 8-20 20-20s19 7 20 20M17 66c1-9 5-15 13-15 3 0 5 .7 7 2' +
    'M103 66c-1-9-5-15-13-15-3 0-5 .7-7 2M8 66h104',
  accent: 'M60 6v8M48 9l3 6M72 9l-3 6',
};
const SEARCH: Drawing = {
  soft: circle(54, 36, 22),
  lines: `${circle(54, 36, 22)}M70 52l18 18M44 30a12 12 0 0 1 9-7M20 66h40`,
  accent: 'M95 18v8M91 22h8M22 22v6M19 25h6',
};
const BOARD: Drawing = {
  soft: 'M46 34h28v34H46z',
  lines: 'M16 50h30v18H16zM46 34h28v34H46zM74 56h30v12H74zM8 68h104',
  accent: 'M60 8l2.8 5.8 6.2.8-4.5 4.4 1.1 6.2L60 22.2l-5.6 3 1.1-6.2-4.5-4.4 6.2-.8z',
};
const INBOX: Drawing = {
  soft: 'M22 46h22l5 9h22l5-9h22v20H22z',
  lines: 'M22 46l11-26h54l11 26v20H22zM22 46h22l5 9h22l5-9h22',
  accent: 'M52 32l6 6 11-12',
};
const GIFT: Drawing = {
  soft: 'M30 38h60v28H30z',
  lines: 'M30 38h60v28H30zM25 26h70v12H25zM60 26v40M14 66h92',
  accent: 'M60 26c-12 0-17-4-17-9s11-8 17 9c6-17 17-14 17-9s-5 9-17 9z',
};
const SEND: Drawing = {
  soft: 'M94 14 26 40l22 8z',
  lines: 'M94 14 26 40l22 8 8 20 10-13 18 9zM48 48l46-34',
  accent: 'M12 54h14M8 64h22M30 24H16',
};
const HILL: Drawing = {
  soft: 'M14 66c14-18 30-24 46-24s32 6 46 24z',
  lines:
    'M14 66c14-18 30-24 46-24s32 6 46 24zM48 45V24h5v5h5v-5h5v5h5v-5h5v21M57 44v-6a4 4 0 0 1 8 0v6',
  accent: 'M60.5 24V9l11 4-11 4',
};

/** By the icon of what is empty; for all others, the keep. */
const DRAWINGS: Partial<Record<IconName, Drawing>> = {
  members: PEOPLE,
  person: PEOPLE,
  search: SEARCH,
  leaderboard: BOARD,
  claim: INBOX,
  hold: INBOX,
  import: INBOX,
  offer: GIFT,
  points: GIFT,
  webhook: SEND,
};

export const drawingOf = (icon: IconName): Drawing => DRAWINGS[icon] ?? HILL;
