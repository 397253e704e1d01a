import type { ComponentChildren } from 'preact';

const icon = (children: ComponentChildren) =>
  function Icon() {
    return (
      <svg viewBox="0 0 24 24" class="icon" aria-hidden="true" focusable="false">
        {children}
      </svg>
    );
  };

export const SendIcon = icon(<path d="M12 19V5m0 0-6 6m6-6 6 6" />);
export const StopIcon = icon(<rect x="7" y="7" width="10" height="10" rx="2" class="solid" />);
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2m0 14v2M3 12h2m14 0h2M5.600 5.600 7 7m10 10 1.400 1.400M18.400 5.600 17 7M7 17l-1.400 1.400" />
  </>,
);
export const MoonIcon = icon(
  <path d="M19 14.500A7.500 7.500 0 0 1 9.500 5a7.500 7.500 0 1 0 9.500 9.500z" />,
);
export const NewIcon = icon(<path d="M12 5v14M5 12h14" />);
export const CopyIcon = icon(
  <>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3" />
  </>,
);
export const CheckIcon = icon(<path d="m5 12.500 4.500 4.500L19 7.500" />);
export const DownIcon = icon(<path d="M12 5v14m0 0 6-6m-6 6-6-6" />);
export const AgainIcon = icon(<path d="M19 12a7 7 0 1 1-2.200-5.100M19 4v4h-4" />);

/** A paper lantern: the house's sign. It glows while an answer is on its way. */
export function Lantern({ glowing = false }: { readonly glowing?: boolean }) {
  return (
    <svg
      viewBox="0 0 32 32"
      class={glowing ? 'lantern glowing' : 'lantern'}
      aria-hidden="true"
      focusable="false"
    >
      <path d="M16 1v4" class="cord" />
      <rect x="11" y="4" width="10" height="3" rx="1" class="cap" />
      <path d="M16 7c6.500 0 10 4 10 9s-3.500 9-10 9-10-4-10-9 3.500-9 10-9z" class="paper" />
      <path
        d="M7 12.500c5.500 1.600 12.500 1.600 18 0M6 16h20M7 19.500c5.500-1.600 12.500-1.600 18 0"
        class="ribs"
      />
      <path d="M13 8.500c-3 4-3 11 0 15" class="light" />
      <rect x="11" y="25" width="10" height="3" rx="1" class="cap" />
      <path d="M14 28v3M16 28v3.500M18 28v3" class="tassel" />
    </svg>
  );
}
