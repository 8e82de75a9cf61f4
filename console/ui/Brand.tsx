/** The keep of the icon, on a tile. */
export const BrandMark = () => (
  <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6" />
    <path d="M5.5 6.5h2.6v1.8h2.2V6.5h3.4v1.8h2.2V6.5h2.6v6.3q0 4.3-6.5 6.2-6.5-1.9-6.5-6.2z" />
  </svg>
);

export const Brand = () => (
  <div class="brand">
    <BrandMark />
    Realmkeep
  </div>
);
