import type { ComponentChildren } from 'preact';

/** An icon in the colour of the surrounding text. */
function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="symbol" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

const SPEAKER = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z';

export const SoundOn = () => (
  <Icon>
    <path class="solid" d={SPEAKER} />
    <path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" />
  </Icon>
);
export const SoundOff = () => (
  <Icon>
    <path class="solid" d={SPEAKER} />
    <path d="M16 9.5l5 5M21 9.5l-5 5" />
  </Icon>
);
export const Books = () => (
  <Icon>
    <path d="M4.5 5h4v14h-4zM8.5 5h4v14h-4zM14 6.2l3.6-1 3.6 13-3.6 1z" />
  </Icon>
);
export const ChevronDown = () => (
  <Icon>
    <path d="M7 10l5 5 5-5" />
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
export const Undo = () => (
  <Icon>
    <path d="M8.5 5L4.5 9l4 4M5 9h9a5 5 0 0 1 0 10h-4" />
  </Icon>
);
export const Redo = () => (
  <Icon>
    <path d="M15.5 5l4 4-4 4M19 9h-9a5 5 0 0 0 0 10h4" />
  </Icon>
);
export const FlipArrows = () => (
  <Icon>
    <path d="M8 19V5M8 5L4.5 8.5M8 5l3.5 3.5M16 5v14M16 19l-3.5-3.5M16 19l3.5-3.5" />
  </Icon>
);
export const First = () => (
  <Icon>
    <path d="M18 6l-7 6 7 6M7 6v12" />
  </Icon>
);
export const Previous = () => (
  <Icon>
    <path d="M15 6l-7 6 7 6" />
  </Icon>
);
export const Next = () => (
  <Icon>
    <path d="M9 6l7 6-7 6" />
  </Icon>
);
export const Last = () => (
  <Icon>
    <path d="M6 6l7 6-7 6M17 6v12" />
  </Icon>
);
export const Delete = () => (
  <Icon>
    <path d="M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7" />
  </Icon>
);
export const Bulb = () => (
  <Icon>
    <path d="M9.5 17.5h5M10 20.5h4M8.5 14.5a6 6 0 1 1 7 0v3h-7z" />
  </Icon>
);
export const Flag = () => (
  <Icon>
    <path d="M6 21V4h11l-2.5 4L17 12H6" />
  </Icon>
);
export const Eye = () => (
  <Icon>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6" />
  </Icon>
);
export const Plus = () => (
  <Icon>
    <path d="M12 5v14M5 12h14" />
  </Icon>
);
export const Grid = () => (
  <Icon>
    <path d="M4 4h16v16H4zM4 12h16M12 4v16" />
  </Icon>
);
export const ShareArrow = () => (
  <Icon>
    <path d="M12 15V3M12 3L8 7M12 3l4 4M5 12v8h14v-8" />
  </Icon>
);
export const Gear = () => (
  <Icon>
    <path d="M4 7h9M17 7h3M15 4.8v4.4M4 17h3M11 17h9M9 14.8v4.4" />
  </Icon>
);
export const Pause = () => (
  <Icon>
    <path d="M9 6v12M15 6v12" />
  </Icon>
);
export const Help = () => (
  <Icon>
    <path d="M8.5 9a3.6 3.6 0 1 1 5.2 3.2c-1.2.6-1.7 1.2-1.7 2.6M12 18.4v.2" />
  </Icon>
);
export const Chart = () => (
  <Icon>
    <path d="M4 19V5M4 19h16M7 15l4-5 3 3 5-7" />
  </Icon>
);
export const More = () => (
  <Icon>
    <path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3.4" />
  </Icon>
);
