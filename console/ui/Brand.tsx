export function Brand() {
  return (
    <div class="brand">
      <span class="realm-mark" aria-hidden="true">
        R
      </span>
      Realmkeep
    </div>
  );
}
