import { Empty } from '../ui/States.tsx';
import { Frame } from './Frame.tsx';

export function NotFound() {
  return (
    <Frame title="">
      <Empty icon="search" title="There is nothing at this address">
        <p>
          It may have been mistyped. <a href="/">Go to the start</a>.
        </p>
      </Empty>
    </Frame>
  );
}
