import type { ComponentChildren } from 'preact';

/** A small picture in the colour of the words beside it. */
function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="picture" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

const SPEAKER = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z';

export const Sound = () => (
  <Icon>
    <path class="solid" d={SPEAKER} />
    <path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" />
  </Icon>
);
export const Silence = () => (
  <Icon>
    <path class="solid" d={SPEAKER} />
    <path d="M16 9.5l5 5M21 9.5l-5 5" />
  </Icon>
);
export const Sun = () => (
  <Icon>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />
  </Icon>
);
export const Moon = () => (
  <Icon>
    <path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5z" />
  </Icon>
);
export const Back = () => (
  <Icon>
    <path d="M8.5 5L4.5 9l4 4M5 9h9a5 5 0 0 1 0 10h-4" />
  </Icon>
);
export const Turn = () => (
  <Icon>
    <path d="M8 19V5M8 5L4.5 8.5M8 5l3.5 3.5M16 5v14M16 19l-3.5-3.5M16 19l3.5-3.5" />
  </Icon>
);
