import type { FunctionComponent } from 'preact';
import { View } from '../frame/View.tsx';
import { ProblemNote, Skeleton } from '../ui/States.tsx';
import { type Later, useLater } from '../views/use-later.ts';

type ViewName = Exclude<keyof Later, `${string}Dialog`>;

/** A view of that part, once it is loaded. */
const later = (name: ViewName): FunctionComponent<{ webhook?: string }> =>
  function Later(props) {
    const { value, error, reload } = useLater();
    const Shown: FunctionComponent<{ webhook?: string }> | undefined = value?.[name];
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
