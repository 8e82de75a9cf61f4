import { Empty } from '../ui/States.tsx';
import { View } from './View.tsx';

export function NotFound() {
  return (
    <View title="Not found" class="content">
      <Empty icon="search" title="There is nothing at this address">
        <p>
          It may have been mistyped, or your key may not open it.{' '}
          <a href="/">Go to the first page</a>.
        </p>
      </Empty>
    </View>
  );
}
