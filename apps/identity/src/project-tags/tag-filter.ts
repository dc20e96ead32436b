/** Finding by tags. Public source: Keystone API reference, "Filtering and searching by tags". */

/** Which tags are looked for; what is undefined is not looked at. */
export interface TagFilter {
  readonly all?: readonly string[] | undefined;
  readonly any?: readonly string[] | undefined;
  readonly notAll?: readonly string[] | undefined;
  readonly notAny?: readonly string[] | undefined;
}

/**
 * SQL about a column `tags`.
 * @param first the number of the first free `$n` of the statement
 * @returns a condition, its parameters, and the number of the first `$n` that is free after it
 */
export function tagsMatch(
  filter: TagFilter = {},
  first: number,
): { readonly condition: string; readonly params: readonly unknown[]; readonly next: number } {
  const { all, any, notAll, notAny } = filter;
  const tests = ['tags @>', 'tags &&', 'NOT tags @>', 'NOT tags &&'];
  const conditions = tests.map((test, at) => {
    const param = `$${first + at}::text[]`;
    return `(${param} IS NULL OR ${test} ${param})`;
  });
  return {
    condition: conditions.join(' AND '),
    params: [all, any, notAll, notAny],
    next: first + tests.length,
  };
}
