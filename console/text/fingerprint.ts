/**
 * 64 bits that depend on every character. Anybody can make two texts with the same: use it only
 * where that is found out. `crypto.subtle` is missing on pages that came over plain HTTP.
 */
export function fingerprintOf(text: string): string {
  let low = 0x2545f491;
  let high = 0x6c62272e;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(((high << 5) | (high >>> 27)) ^ unit, 0x2c9277b5);
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
