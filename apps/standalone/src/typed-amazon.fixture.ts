/** Of the types in the words of AWS that are more than others of them. */
import type { JsonObject } from '@cumulet/orchestration/json/json';
import { attr, ref, templateOf, type Resources } from './typed-stacks.fixture.js';

const URL = 'http://typed.example/below.template';

/** What goes along with a template. */
export const TYPED_FILES = {
  [URL]: templateOf({ inner: { type: 'OS::Heat::TestResource' } }),
};

const rule = (port: string): JsonObject => ({
  IpProtocol: 'tcp',
  FromPort: port,
  ToPort: port,
  CidrIp: '10.0.0.0/8',
});

export const OF_AMAZON: Resources = {
  own_network: { type: 'AWS::EC2::VPC', properties: { CidrBlock: '10.31.0.0/16' } },
  own_subnet: {
    type: 'AWS::EC2::Subnet',
    properties: { VpcId: ref('own_network'), CidrBlock: '10.31.0.0/24' },
  },
  own_group: {
    type: 'AWS::EC2::SecurityGroup',
    properties: { GroupDescription: 'typed', SecurityGroupIngress: [rule('22')] },
    changes: [
      { SecurityGroupIngress: [rule('22'), rule('80')] },
      { SecurityGroupEgress: [rule('443')] },
    ],
  },
  card: {
    type: 'AWS::EC2::NetworkInterface',
    properties: { SubnetId: ref('own_subnet'), PrivateIpAddress: '10.31.0.31' },
    changes: [{ GroupSet: [ref('own_group')] }, { GroupSet: null }],
  },
  address: {
    type: 'AWS::EC2::EIP',
    changes: [{ InstanceId: ref('instance') }, { InstanceId: null }],
    depends_on: 'inside',
  },
  other_address: { type: 'AWS::EC2::EIP', properties: { Domain: 'vpc' } },
  leads: {
    type: 'AWS::EC2::EIPAssociation',
    properties: {
      AllocationId: attr('other_address', 'AllocationId'),
      NetworkInterfaceId: ref('card'),
    },
  },
  amazon_stack: {
    type: 'AWS::CloudFormation::Stack',
    properties: { TemplateURL: URL },
    changes: [{ TimeoutInMinutes: 9 }],
  },
};
