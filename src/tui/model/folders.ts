/** Completes a path that is being typed with the folders that were found for it. Pure. */

interface TakenFolders {
  /** The path, as far as all folders agree. */
  readonly text: string;
  readonly folders: { readonly path: string; readonly names: readonly string[] };
}

/** Returns null if the path has changed since the folders were looked up. */
export function takeFolderNames(current: string, path: string, names: readonly string[]): TakenFolders | null {
  if (current !== path) return null;
  const typed = path.slice(path.lastIndexOf('/') + 1);
  const [only] = names;
  const added = names.length === 1 && only !== undefined ? `${only}/` : commonStart(names);
  const full = added.length > typed.length ? path.slice(0, path.length - typed.length) + added : path;
  const isNew = names.length === 1 && full !== path;
  // If the folder was the only match, the next Tab lists its content.
  return { text: full, folders: { path: isNew ? path : full, names: names.length > 1 ? names : [] } };
}

function commonStart(names: readonly string[]): string {
  const [first = ''] = names;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
