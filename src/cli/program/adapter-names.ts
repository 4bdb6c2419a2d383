/** Returns the names of all adapters. Their module is loaded on demand, because few commands need it. */
export async function adapterNames(): Promise<readonly string[]> {
  const { ADAPTERS, GENERIC } = await import('../../session/index.js');
  return [GENERIC, ...ADAPTERS].map(({ name }) => name);
}
