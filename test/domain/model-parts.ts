import type { Command, PointsChange } from '../../src/domain/commands.ts';

/** What the model of the rules consists of. */
export type Entry = PointsChange & { recipientId?: string };

export type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export interface Movement {
  seq: number;
  member: string;
  kind: string;
  tokens: number;
  balance: number;
}

export interface ModelTransaction {
  member: string;
  recipient: string | null;
  kind: string;
  sign: 1 | -1;
  /** How much of it can still be reversed. */
  left: number;
}

export interface ModelHold {
  member: string;
  kind: string;
  tokens: number;
  captured: number;
  status: string;
  expiresAt: number;
}

export const KINDS: Record<string, { floor: number; ceiling: number; transferable: boolean }> = {
  points: { floor: 0, ceiling: Number.MAX_SAFE_INTEGER, transferable: true },
  gems: { floor: -20, ceiling: 60, transferable: false },
};

export const floorOf = (kind: string): number => KINDS[kind]?.floor ?? 0;

export type Side = [member: string, kind: string, tokens: number];

export const sidesOf = (
  kind: string,
  tokens: number,
  member: string,
  recipient: string | null,
): Side[] =>
  recipient === null
    ? [[member, kind, tokens]]
    : [
        [member, kind, tokens],
        [recipient, kind, -tokens],
      ];

export class Refusal extends Error {}

export const refuse = (code: string): never => {
  throw new Refusal(code);
};
