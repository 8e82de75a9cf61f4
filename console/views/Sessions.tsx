import { Frame } from '../frame/Frame.tsx';
export function Sessions() {
  return (
    <Frame title="Sessions">
      <div class="content" />
    </Frame>
  );
}
