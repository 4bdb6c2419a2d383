/** Line icons of 16 pixels, in the colour of the text. */
const PATHS = {
  inbox: 'M2.5 9.500h3l1 2h3l1-2h3M2.500 9.500 4.300 3.500h7.400l1.800 6v3h-11z',
  sessions: 'M2.500 3.500h11v9h-11zM5 6.500l2 1.700-2 1.700M8.500 10.200h2.500',
  events: 'M3 4h10M3 8h10M3 12h6',
  agents:
    'M8 8.200a2.600 2.600 0 1 0 0-5.200 2.600 2.600 0 0 0 0 5.200M3 13.200c.6-2.200 2.600-3.400 ' +
    '5-3.400s4.400 1.200 5 3.400',
  runs: 'M5 3.300v9.400L12.500 8z',
  tasks: 'M3 4.200l1.200 1.200L6.300 3M3 10.700l1.200 1.200 2.100-2.400M8.500 4.500h4.500M8.500 11h4.500',
  workflows: 'M2.500 3h4v3h-4zM9.500 10h4v3h-4zM4.500 6v5.500h5',
  system: 'M2.500 12.500 6 7.500l2.500 2.500 5-6.500',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9M10.300 10.300l3.200 3.200',
  back: 'M9.500 3.500 5 8l4.500 4.500',
  sun:
    'M8 10.700a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400M8 1.500v1.300M8 13.200v1.300M1.500 ' +
    '8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  bell: 'M4 11h8l-1-1.500V7a3 3 0 0 0-6 0v2.500zM7 13h2',
  keys: 'M1.500 4.500h13v7h-13zM4 7h.5M6.700 7h.5M9.300 7h.5M12 7h.3M4.500 9.300h7',
  out: 'M9.500 4V2.500h-7v11h7V12M6 8h8M11.500 5.500 14 8l-2.500 2.500',
  plus: 'M8 3.500v9M3.500 8h9',
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
