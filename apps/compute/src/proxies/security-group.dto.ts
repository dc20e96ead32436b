/** Public source: nova, `api/openstack/compute/schemas/security_groups.py`. */
import { BooleanField, CheckedField, StringField } from '@cumulet/common/http/fields';
import { bodyUnder } from '../http/fields.js';

export class ListSecurityGroupsQuery {
  @BooleanField({ optional: true, fromText: true, bareIsTrue: true })
  all_tenants?: boolean;
}

export class SecurityGroupDto {
  @StringField({ min: 0 })
  name: string;

  @StringField({ min: 0 })
  description: string;
}

export class SecurityGroupBody extends bodyUnder('security_group', SecurityGroupDto) {}

const PORT = { type: 'integer', minimum: -1 } as const;

function PortField(): PropertyDecorator {
  const isPort = (value: unknown): boolean => ['number', 'string'].includes(typeof value);
  const options = { optional: true, nullable: true };
  return CheckedField(isPort, 'must be a number', PORT, options);
}

export class CreateSecurityGroupRuleDto {
  @StringField()
  parent_group_id: string;

  @StringField({ optional: true, nullable: true })
  group_id?: string | null;

  @StringField({ optional: true, description: 'The protocol: icmp, tcp or udp.' })
  ip_protocol?: string;

  @PortField()
  from_port?: number | string | null;

  @PortField()
  to_port?: number | string | null;

  @StringField({ optional: true, nullable: true, min: 0 })
  cidr?: string | null;
}

export class CreateSecurityGroupRuleBody extends bodyUnder(
  'security_group_rule',
  CreateSecurityGroupRuleDto,
) {}
