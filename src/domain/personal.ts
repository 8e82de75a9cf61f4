/**
 * The personal part of a record: the fields that are about a person. They are stored beside the
 * record as the text of a JSON object that starts with a random salt, and the record's hash covers
 * only the hash of that text. So the text can be erased, and the record still proves itself.
 */
export interface PersonalPart {
  /** Null if the record has none, or if it was erased. */
  personal: string | null;
  /** The SHA-256 of the text in hexadecimal; null if the record has no personal part. */
  personalHash: string | null;
}

export const NO_PERSONAL_PART: PersonalPart = { personal: null, personalHash: null };

/** What stands in for a personal part that was erased. */
const ERASED = '"erased":true';

/** The data of a record as callers see it: a JSON object with its personal part, or `erased`. */
export function wholeData({
  data,
  personal,
  personalHash,
}: PersonalPart & { data: string }): string {
  if (personal === null && personalHash === null) return data;
  // The salt has no comma, and every record with a personal part names its member.
  const fields = personal === null ? `${ERASED}}` : personal.slice(personal.indexOf(',') + 1);
  return `${data.slice(0, -1)},${fields}`;
}
