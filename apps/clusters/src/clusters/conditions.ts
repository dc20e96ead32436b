/** The progress of a cluster's parts, each with the reason for waiting or failing. */
export const CONDITIONS = ['infrastructure', 'control_plane', 'nodes', 'addons'] as const;
export type ConditionName = (typeof CONDITIONS)[number];

export interface Condition {
  readonly status: 'pending' | 'ready' | 'failed';
  /** May be empty. */
  readonly reason: string;
}

export type Conditions = Partial<Readonly<Record<ConditionName, Condition>>>;
