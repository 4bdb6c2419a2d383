/** Hands the person a file that the page has made. */
export function saveFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** The browser reads the file after the click. */
const KEPT_MS = 60_000;
