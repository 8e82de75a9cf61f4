import { Empty } from '../ui/States.tsx';

export function NotFound() {
  return (
    <Empty icon="search" title="There is nothing at this address">
      <p>
        It may have been mistyped. <a href="/">Go to the start</a>.
      </p>
    </Empty>
  );
}
