import type { Attacker, Counts } from './attacker.ts';
import type { Seeder } from './seeder.ts';

/** `full` is what the siege runs, `short` is what the tests have time for. */
export type Strength = 'full' | 'short';

/** Something a caller does to the service, in a realm of its own that has the attack's name. */
export interface Attack {
  name: string;
  description: string;
  /** Whether it needs another process on the same database, which SQLite cannot have. */
  needsOtherProcess: boolean;
  /** Fills the attacked realm. */
  prepare: (seeder: Seeder, strength: Strength) => Promise<void>;
  /** Attacks until the attacker's time is over. */
  run: (attacker: Attacker, strength: Strength) => Promise<void>;
  /** What is wrong with the answers that the attacker got. */
  faults: (answers: Counts) => string[];
}

interface Definition<Size> extends Pick<Attack, 'name' | 'description'> {
  needsOtherProcess?: boolean;
  full: Size;
  short: Size;
  prepare?: (seeder: Seeder, size: Size) => Promise<void>;
  run: (attacker: Attacker, size: Size) => Promise<void>;
  faults?: Attack['faults'];
}

export function define<Size>(definition: Definition<Size>): Attack {
  const { name, description, needsOtherProcess = false, prepare, run } = definition;
  return {
    name,
    description,
    needsOtherProcess,
    prepare: async (seeder, strength) => prepare?.(seeder, definition[strength]),
    run: (attacker, strength) => run(attacker, definition[strength]),
    faults: definition.faults ?? (() => []),
  };
}
