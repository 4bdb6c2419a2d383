/** Line icons of 16 pixels, in the colour of the text. */
const PATHS = {
  inbox: 'M2.5 9.500h3l1 2h3l1-2h3M2.500 9.500 4.300 3.500h7.400l1.800 6v3h-11z',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9M10.300 10.300l3.200 3.200',
  back: 'M9.500 3.500 5 8l4.500 4.500',
  sun:
    'M8 10.700a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400M8 1.500v1.300M8 13.200v1.300M1.500 ' +
    '8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  bell: 'M4 11h8l-1-1.500V7a3 3 0 0 0-6 0v2.500zM7 13h2',
  terminal: 'M2 3h12v10H2zM4.500 6l2 2-2 2M8.500 10.500h3',
  events: 'M5.500 4h8M5.500 8h8M5.500 12h8M2.500 4h.1M2.500 8h.1M2.500 12h.1',
  play: 'M5 3.500v9l7.500-4.500z',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  system: 'M1.500 8.500h3l2-5 3 9 2-4h3',
  more: 'M3.500 8h.1M8 8h.1M12.500 8h.1',
  close: 'M4 4l8 8M12 4l-8 8',
  run: 'M8 2a6 6 0 1 0 6 6M8 5v3l2 1.500M11 2.500l3 .5-.5 3',
  task: 'M2.500 4l1.200 1.200L6 3M2.500 11l1.200 1.200L6 10M8.500 4.500h5M8.500 11.500h5',
  workflow: 'M1.500 6h4v4h-4zM10.500 2h4v4h-4zM10.500 10h4v4h-4zM5.500 8H8V4h2.500M8 8v4h2.500',
  envelope: 'M2 4h12v8.500H2zM2.300 4.500 8 9l5.700-4.500',
  agent: 'M3.500 6h9v7h-9zM8 6V3.500M8 2.500h.1M6 9h.1M10 9h.1M1.800 8.500v2M14.200 8.500v2',
  keys: 'M1.500 4.500h13v7h-13zM4 7h.5M6.700 7h.5M9.300 7h.5M12 7h.3M4.500 9.300h7',
  out: 'M9.500 4V2.500h-7v11h7V12M6 8h8M11.500 5.500 14 8l-2.500 2.500',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
