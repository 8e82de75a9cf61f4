/** An id from a name: "Acme Guild" becomes `acme-guild`, and "Café" becomes `cafe`. */
export const idFrom = (name: string, longest: number): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '');
