import type { FunctionComponent } from 'preact';
import { View } from '../frame/View.tsx';
import { ProblemNote, Skeleton } from '../ui/States.tsx';
import { type Later, useLater } from '../views/use-later.ts';

type Shown = FunctionComponent<{ webhook?: string; offer?: string }>;

/** A view of the part that is loaded later, once it is. */
export const later = (name: Exclude<keyof Later, `${string}Dialog`>): Shown =>
  function LaterView(props) {
    const { value, error, reload } = useLater();
    const Loaded: Shown | undefined = value?.[name];
    if (Loaded) return <Loaded {...props} />;
    return (
      <View title="">
        <div class="content">
          {error ? <ProblemNote error={error} retry={reload} /> : <Skeleton width={240} />}
        </div>
      </View>
    );
  };
