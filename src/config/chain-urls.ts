/**
 * An entry starts after a comma that is followed by a chain name, so that URLs may contain commas;
 * or by another URL, whatever precedes it, which would otherwise be lost in the previous entry.
 */
const NEXT_ENTRY = /,(?=\s*(?:[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}=|[^,/?#]*https?:\/\/))/;

/** Faults name an entry by its position, never by its text, which may contain an API key. */
export function chainUrls(
  text: string,
  name: string,
): { urls: Record<string, string>; faults: string[] } {
  const urls: Record<string, string> = {};
  const faults: string[] = [];
  const entries = text.trim().replace(/,$/, '');
  if (entries === '') return { urls, faults };
  for (const [index, entry] of entries.split(NEXT_ENTRY).entries()) {
    const [, chain, url = ''] = /^(eip155:[1-9]\d{0,14})=(\S+)$/.exec(entry.trim()) ?? [];
    const place = `entry ${index + 1} of ${name}`;
    if (chain === undefined) {
      faults.push(`${place} must be eip155:<chain id>=<URL>, such as eip155:1=https://…`);
    } else if (urls[chain] !== undefined) {
      faults.push(`${place} names ${chain} again`);
    } else if (!isHttpUrl(url)) {
      faults.push(`${place} must have one http or https URL for ${chain}`);
    } else {
      urls[chain] = url;
    }
  }
  return { urls, faults };
}

/** A trailing comma would otherwise become part of the URL. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && !text.endsWith(',');
}
