import type { FunctionComponent } from 'preact';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { ProblemNote, Skeleton } from '../ui/States.tsx';

type Part = typeof import('./setting-up.ts');

/** Asked for before anybody goes there; if that fails, whoever goes there asks again. */
export const useLaterViews = () =>
  useAnswer('setting up', (): Promise<Part> => import('./setting-up.ts'));

/** A view of that part, once it is loaded. */
export const later = (name: keyof Part): FunctionComponent<{ webhook?: string }> =>
  function Later(props) {
    const { value, error, reload } = useLaterViews();
    const Shown = value?.[name];
    if (Shown) return <Shown {...props} />;
    return (
      <View title="">
        <div class="content">
          {error ? <ProblemNote error={error} retry={reload} /> : <Skeleton width={240} />}
        </div>
      </View>
    );
  };
