import { BooleanField } from '@cumulet/common/http/fields';

/** Options of a resource. Public source: Keystone API reference, "Resource Options". */
export interface ResourceOptions {
  /** Neither changed nor removed before this is taken back. */
  readonly immutable?: boolean;
}

/** Options that projects, domains and roles have; null takes one back. */
export class ResourceOptionsDto {
  @BooleanField({ optional: true, nullable: true })
  immutable?: boolean | null;
}

/** The options after a change: what is null is taken out, what is not named stays. */
export function changedOptions<T extends object>(before: T, change: object | undefined): T {
  // A DTO has its fields also where the client has named none of them.
  const named = Object.entries(change ?? {}).filter(([, value]) => value !== undefined);
  const merged = { ...before, ...Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as T;
}
