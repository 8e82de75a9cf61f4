import type { FunctionComponent } from 'preact';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { ProblemNote, Skeleton } from '../ui/States.tsx';

type Part = typeof import('./setting-up.ts');

const load = (): Promise<Part> => import('./setting-up.ts');

/** Asks for that part before anybody goes there; if it fails, whoever goes there asks again. */
export function useLaterViews(): void {
  useAnswer('setting up', load);
}

/** A view of that part, once it is loaded. */
const later = (name: keyof Part): FunctionComponent<{ webhook?: string }> =>
  function Later(props) {
    const { value, error, reload } = useAnswer('setting up', load);
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

export const Discord = later('Discord');
export const Import = later('Import');
export const Integrity = later('Integrity');
export const Keys = later('Keys');
export const Owners = later('Owners');
export const People = later('People');
export const Points = later('Points');
export const Sessions = later('Sessions');
export const Settings = later('Settings');
export const WalletCheck = later('WalletCheck');
export const Webhooks = later('Webhooks');
