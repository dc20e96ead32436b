/** Access rules on the wire. Public source: Keystone API reference, "Application Credentials". */
import type { AccessRule } from './access-rule.entity.js';

export function accessRuleView(rule: AccessRule, baseUrl: string): object {
  const { id, userId, service, method, path } = rule;
  return {
    id,
    service,
    method,
    path,
    links: { self: `${baseUrl}/v3/users/${userId}/access_rules/${id}` },
  };
}
