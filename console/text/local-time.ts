/** An instant as fields of the browser have it: `2026-11-18T20:30`, in the reader's time zone. */
export function localTime(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const pad = (part: number): string => String(part).padStart(2, '0');
  const day = [date.getMonth() + 1, date.getDate()].map(pad).join('-');
  const time = [date.getHours(), date.getMinutes()].map(pad).join(':');
  return `${String(date.getFullYear()).padStart(4, '0')}-${day}T${time}`;
}

/** The instant that was typed; null if nothing was. */
export const instantOf = (typed: string): string | null => {
  const at = new Date(typed).getTime();
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};
