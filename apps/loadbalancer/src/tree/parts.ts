/** The tables of what a load balancer consists of. */
export const PART_TABLES = [
  'listeners',
  'pools',
  'members',
  'health_monitors',
  'l7_policies',
  'l7_rules',
] as const;

export type PartTable = (typeof PART_TABLES)[number];
