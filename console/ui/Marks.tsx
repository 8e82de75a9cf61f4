import type { Kind } from '@realmkeep/client';
import { hueOf, isMark, shapeOf } from '../text/marks.ts';
import { initialOf } from '../text/visible.ts';
import { Text } from './Text.tsx';

/** The symbol of a kind of points in its colour; without one, a shape that its id has. */
export function KindMark({ kind: { id, symbol } }: { kind: Pick<Kind, 'id' | 'symbol'> }) {
  return (
    <span class="kind-mark tinted" style={{ '--hue': hueOf(id) }} aria-hidden="true">
      {isMark(symbol) ? (
        <Text value={symbol} />
      ) : (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={shapeOf(id)} />
        </svg>
      )}
    </span>
  );
}

/** A kind of points by its name, with what it is known by at a glance. */
export function KindBadge({ kind }: { kind: Pick<Kind, 'id' | 'symbol' | 'name'> }) {
  return (
    <span class="kind-badge">
      <KindMark kind={kind} />
      <Text class="ellipsis" value={kind.name} />
    </span>
  );
}

/** How large a share is, beside the figure that says it: 1 is the largest of the list. */
export function ShareBar({ share }: { share: number }) {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return (
    <span class="share-bar" aria-hidden="true">
      <i style={{ width }} />
    </span>
  );
}

/** A community by the first letter of its name, in the colour of its id. */
export const RealmMark = ({ realm }: { realm: { id: string; name: string } }) => (
  <span class="realm-mark tinted" style={{ '--hue': hueOf(realm.id) }} aria-hidden="true">
    {initialOf(realm.name)}
  </span>
);
