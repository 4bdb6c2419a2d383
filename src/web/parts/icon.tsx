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
