import { Frame } from '../frame/Frame.tsx';
export function Realms() {
  return (
    <Frame title="Realms">
      <div class="content" />
    </Frame>
  );
}
