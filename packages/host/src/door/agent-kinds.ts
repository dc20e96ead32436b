/** The agents of a host, by kind. */

export const AGENT_KINDS = ['compute', 'network', 'loadbalancer'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

export function isAgentKind(value: unknown): value is AgentKind {
  return (AGENT_KINDS as readonly unknown[]).includes(value);
}

/** The setting of the port on which an agent answers /readyz, and its default; an agent without one is ready once it runs. */
export const AGENT_PORTS: Readonly<
  Partial<Record<AgentKind, { readonly env: string; readonly port: string }>>
> = {
  compute: { env: 'COMPUTE_PORT', port: '8774' },
  loadbalancer: { env: 'LOADBALANCER_PORT', port: '9876' },
};
