/** Options of a resource. Public source: Keystone API reference, "Resource Options". */
export interface ResourceOptions {
  /** Neither changed nor removed before this is taken back. */
  readonly immutable?: boolean;
}

/** Properties that Keystone keeps for its clients without a meaning of its own (`email`). */
export type Extra = Readonly<Record<string, unknown>>;
