import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

const TAGS_OF_POLICY = /^\/v2\.0(?=\/policies\/[^/?]+\/tags(?:[/?]|$))/;

/**
 * Tags of a QoS policy are found without `/qos` too, where openstacksdk looks for them: Neutron's
 * extension has the tags of all resources below the plural alone. Public source: neutron,
 * `extensions/tagging.py`.
 */
export function rewriteNetworkUrl({ url = '/' }: RewrittenRequest): string {
  return url.replace(TAGS_OF_POLICY, '/v2.0/qos');
}
