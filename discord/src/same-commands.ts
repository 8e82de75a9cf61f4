/** What Discord fills in where we say nothing, by field. */
const DEFAULTS: Record<string, unknown> = { type: 1, description: '', options: [] };

/** Whether Discord has what is wanted: it adds fields, and leaves out those that are false. */
function has(present: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    const all = Array.isArray(present) ? present : [];
    return all.length === wanted.length && wanted.every((one, index) => has(all[index], one));
  }
  if (typeof wanted !== 'object' || wanted === null) return (present || null) === (wanted || null);
  const fields = Object(present) as Record<string, unknown>;
  return Object.entries(wanted).every(([name, value]) =>
    has(fields[name] ?? DEFAULTS[name], value),
  );
}

const named = (commands: unknown): object[] =>
  (Array.isArray(commands) ? commands : []).toSorted((a, b) => a.name.localeCompare(b.name));

/** Whether a server has these commands: Discord allows to create only 200 a day. */
export const sameCommands = (present: unknown, wanted: unknown): boolean =>
  has(named(present), named(wanted));
