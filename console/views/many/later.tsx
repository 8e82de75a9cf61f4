import type { ComponentType } from 'preact';
import { Dialog } from '../../ui/Dialog.tsx';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { type Later, useLater } from '../use-later.ts';

/** A dialog of the part that is loaded later, once it is. */
function later<Name extends Extract<keyof Later, `${string}Dialog`>>(name: Name): Later[Name] {
  const Shown = (props: { onClose: () => void }) => {
    const { value, error, reload } = useLater();
    const Loaded = value?.[name] as ComponentType<typeof props> | undefined;
    if (Loaded) return <Loaded {...props} />;
    return (
      <Dialog title="" onClose={props.onClose}>
        {error ? <ProblemNote error={error} retry={reload} /> : <Skeleton width={240} />}
      </Dialog>
    );
  };
  return Shown as Later[Name];
}

export const AwardDialog = later('AwardDialog');
export const EventFilterDialog = later('EventFilterDialog');
export const FilterDialog = later('FilterDialog');
export const FreezeManyDialog = later('FreezeManyDialog');
export const PointsDialog = later('PointsDialog');
export const TagDialog = later('TagDialog');
