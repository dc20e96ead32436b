/** How far the parts of a cluster are, each with the words of what keeps it back. */
export const CONDITIONS = ['infrastructure', 'control_plane', 'nodes', 'addons'] as const;
export type ConditionName = (typeof CONDITIONS)[number];

export interface Condition {
  readonly status: 'pending' | 'ready' | 'failed';
  /** For people; empty where there is nothing to say. */
  readonly reason: string;
}

export type Conditions = Partial<Readonly<Record<ConditionName, Condition>>>;
