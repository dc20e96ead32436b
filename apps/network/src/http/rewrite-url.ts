import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

const TAGS_OF_POLICY = /^\/v2\.0(?=\/policies\/[^/?]+\/tags(?:[/?]|$))/;

/**
 * Makes tags of a QoS policy available without `/qos` too, where openstacksdk expects them: Neutron
 * has the tags of all resources directly below the plural. Public source: neutron,
 * `extensions/tagging.py`.
 */
export function rewriteNetworkUrl({ url = '/' }: RewrittenRequest): string {
  return url.replace(TAGS_OF_POLICY, '/v2.0/qos');
}
