/** Everything that an asynchronous sequence brings. */
export async function drain<T>(sequence: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of sequence) all.push(item);
  return all;
}
