import { hash } from 'node:crypto';
import type { PersonalPart } from '../personal.ts';
import { PERSONAL_FIELDS, type RecordOf, type RecordType } from '../records.ts';

/** A random text for a record's personal part, without which nobody can guess it by its hash. */
export type Salts = (realmId: string, seq: number) => string;

const fieldsOf = (type: RecordType): readonly string[] => PERSONAL_FIELDS[type] ?? [];

export const hasPersonalPart = ({ type, data }: Pick<RecordOf, 'type' | 'data'>): boolean =>
  fieldsOf(type).some((name) => (data as Record<string, unknown>)[name] !== undefined);

/** Separates the personal part of a record from the rest of its data. */
export function separate({ type, data }: RecordOf, salt: string): PersonalPart & { data: string } {
  const rest: Record<string, unknown> = { ...data };
  const part: Record<string, unknown> = { salt };
  for (const name of fieldsOf(type)) {
    part[name] = rest[name];
    delete rest[name];
  }
  const personal = JSON.stringify(part);
  return { data: JSON.stringify(rest), personal, personalHash: personalHashOf(personal) };
}

export const personalHashOf = (personal: string): string => hash('sha256', personal, 'hex');

/** The salt of a stored record; null if it has no personal part, or no longer. */
export const saltOf = ({ personal }: PersonalPart): string | null =>
  personal === null ? null : String(JSON.parse(personal).salt);
