/** Does the same for each of a list, some at once, and gives what comes of them in their order. */
export async function mapped<In, Out>(
  list: readonly In[],
  concurrency: number,
  work: (one: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  const entries = list.entries();
  const next = async (): Promise<void> => {
    for (const [at, one] of entries) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return results;
}
