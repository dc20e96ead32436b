/**
 * References to users and projects by ID, or by name within a domain, which has an ID or a name.
 * Public source: Keystone API reference, "Password authentication with scoped authorization".
 */
export type DomainRef = { readonly id: string } | { readonly name: string };
export type OwnedRef =
  | { readonly id: string }
  | { readonly name: string; readonly domain: DomainRef };

export interface RefCondition {
  readonly condition: string;
  readonly params: readonly string[];
}

/**
 * SQL that finds a row of `table`, joined with `domains`, by one unique index.
 * @param first the number of the statement's first free `$n`
 */
export function ownedBy(table: 'users' | 'projects', ref: OwnedRef, first: number): RefCondition {
  if ('id' in ref) return { condition: `${table}.id = $${first}`, params: [ref.id] };
  const domain = domainIs(ref.domain, first);
  return {
    condition: `${domain.condition} AND ${table}.name = $${first + 1}`,
    params: [...domain.params, ref.name],
  };
}

/** The same for a row of `domains`. */
export function domainIs(ref: DomainRef, first: number): RefCondition {
  return 'id' in ref
    ? { condition: `domains.id = $${first}`, params: [ref.id] }
    : { condition: `domains.name = $${first}`, params: [ref.name] };
}
