import { isFull } from '../errors.ts';
import { Reserve } from '../reserve.ts';
import { openProjections, projectionsIdentity, removeProjections } from './database.ts';
import { Projections } from './projections.ts';

/** A connection that updates the projections and reads them, for a third thread. */
export function openSqliteProjections(path: string): Projections {
  const projections = projectionsOf(path);
  try {
    new Reserve(path).opening(() => projections.open());
  } catch (error) {
    // Without space for them, everything else is served; they are opened when they are needed.
    if (!isFull(error)) throw error;
  }
  return projections;
}

/** Opened when they are first needed. */
export const projectionsOf = (path: string): Projections =>
  new Projections(() => openProjections(path), {
    identity: () => projectionsIdentity(path),
    remove: () => removeProjections(path),
  });
