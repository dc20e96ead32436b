/** All resource types; a new one is added here. */
import { bucket, container } from './s3/bucket-types.js';
import { elasticIp, elasticIpAssociation } from './aws/elastic-ip.js';
import { accessPolicy, iamAccessKey, iamUser } from './aws/iam.js';
import { instance } from './aws/instance.js';
import { nestedStack } from './aws/nested-stack.js';
import { awsSubnet, networkInterface, vpc } from './aws/vpc.js';
import { awsSecurityGroup } from './aws/security-group.js';
import {
  certificateContainer,
  genericContainer,
  rsaContainer,
  secret,
} from './barbican/secrets.js';
import { webImage } from './glance/web-image.js';
import { remoteStack } from './heat/remote-stack.js';
import {
  cloudConfig,
  multipartMime,
  softwareComponent,
  softwareConfig,
  structuredConfig,
} from './heat/software-configs.js';
import {
  softwareDeploymentGroup,
  structuredDeployment,
  structuredDeploymentGroup,
} from './heat/software-deployment-group.js';
import { softwareDeployment } from './heat/software-deployment.js';
import {
  amazonWaitCondition,
  amazonWaitConditionHandle,
  updateWaitConditionHandle,
  waitCondition,
  waitConditionHandle,
} from './heat/wait-conditions.js';
import {
  amazonAutoScalingGroup,
  instanceGroup,
  launchConfiguration,
} from './aws/instance-groups.js';
import { autoScalingGroup } from './heat/auto-scaling-group.js';
import { resourceChain, resourceGroup } from './heat/resource-group.js';
import { amazonScalingPolicy, scalingPolicy } from './heat/scaling-policies.js';
import { delay, none, testResource, value } from './heat/placeholders.js';
import { randomString } from './heat/random-string.js';
import { domain, project } from './keystone/projects.js';
import { endpoint, region, service } from './keystone/catalog.js';
import { group, groupRoleAssignment, role, user, userRoleAssignment } from './keystone/users.js';
import { cluster, clusterTemplate } from './magnum/cluster.js';
import { addressGroup, securityGroup, securityGroupRule } from './neutron/security-group.js';
import { addressScope, subnet, subnetPool } from './neutron/subnet.js';
import { extraRoute, extraRouteSet } from './neutron/extra-routes.js';
import {
  floatingIp,
  floatingIpAssociation,
  floatingIpPortForwarding,
} from './neutron/floating-ip.js';
import { net, providerNet } from './neutron/net.js';
import { port } from './neutron/port.js';
import {
  qosBandwidthLimitRule,
  qosDscpMarkingRule,
  qosMinimumBandwidthRule,
  qosMinimumPacketRateRule,
  qosPolicy,
} from './neutron/qos.js';
import { balancerQuota, computeQuota, networkQuota } from './quotas.js';
import { rbacPolicy } from './neutron/rbac-policy.js';
import { router, routerGateway, routerInterface } from './neutron/router.js';
import { trunk } from './neutron/trunk.js';
import { flavor } from './nova/flavor.js';
import { hostAggregate } from './nova/host-aggregate.js';
import { keypair } from './nova/keypair.js';
import { serverGroup } from './nova/server-group.js';
import { server } from './nova/server.js';
import {
  balancerFlavor,
  balancerFlavorProfile,
  balancerZone,
  balancerZoneProfile,
} from './octavia/flavors.js';
import { healthMonitor, pool, poolMember } from './octavia/pool.js';
import { l7Policy, l7Rule } from './octavia/l7-policy.js';
import { listener, loadBalancer } from './octavia/load-balancer.js';
import type { ResourceType } from './resource-type.js';

const NEUTRON = [
  net,
  subnet,
  port,
  router,
  routerInterface,
  routerGateway,
  extraRoute,
  extraRouteSet,
  floatingIp,
  floatingIpAssociation,
  floatingIpPortForwarding,
  securityGroup,
  securityGroupRule,
  addressGroup,
  addressScope,
  subnetPool,
  rbacPolicy,
  trunk,
];

const NOVA = [server, keypair, serverGroup];

const OCTAVIA = [loadBalancer, listener, pool, poolMember, healthMonitor, l7Policy, l7Rule];

const BARBICAN = [secret, genericContainer, certificateContainer, rsaContainer];

const KEYSTONE = [
  domain,
  project,
  user,
  group,
  role,
  userRoleAssignment,
  groupRoleAssignment,
  region,
  service,
  endpoint,
];

const HEAT = [
  testResource,
  randomString,
  value,
  none,
  delay,
  resourceGroup,
  resourceChain,
  autoScalingGroup,
  scalingPolicy,
  instanceGroup,
  waitCondition,
  waitConditionHandle,
  updateWaitConditionHandle,
  softwareConfig,
  structuredConfig,
  cloudConfig,
  multipartMime,
  softwareDeployment,
  softwareDeploymentGroup,
  structuredDeployment,
  structuredDeploymentGroup,
  softwareComponent,
  accessPolicy,
  remoteStack,
];

const AMAZON = [
  launchConfiguration,
  amazonAutoScalingGroup,
  amazonScalingPolicy,
  amazonWaitCondition,
  amazonWaitConditionHandle,
  instance,
  elasticIp,
  elasticIpAssociation,
  iamUser,
  iamAccessKey,
  awsSecurityGroup,
  vpc,
  awsSubnet,
  networkInterface,
  nestedStack,
  bucket,
];

/** Public source: heat, `policies/resource_types.py`. */
const ADMINISTRATION = [
  flavor,
  hostAggregate,
  computeQuota,
  qosPolicy,
  qosBandwidthLimitRule,
  qosDscpMarkingRule,
  qosMinimumBandwidthRule,
  qosMinimumPacketRateRule,
  providerNet,
  networkQuota,
  balancerFlavor,
  balancerFlavorProfile,
  balancerZone,
  balancerZoneProfile,
  balancerQuota,
  ...KEYSTONE,
];

const TYPES: readonly ResourceType[] = [
  ...NEUTRON,
  ...NOVA,
  ...OCTAVIA,
  ...BARBICAN,
  ...ADMINISTRATION.map((type): ResourceType => ({ ...type, isForAdministrators: true })),
  webImage,
  cluster,
  clusterTemplate,
  container,
  ...HEAT,
  ...AMAZON,
];

export const ALIASES: Readonly<Record<string, string>> = {
  'OS::Heat::SoftwareDeployments': 'OS::Heat::SoftwareDeploymentGroup',
  'OS::Heat::StructuredDeployments': 'OS::Heat::StructuredDeploymentGroup',
  'OS::Neutron::FloatingIPPortForwarding': 'OS::Neutron::FloatingIPPortForward',
};

export const RESOURCE_TYPES: ReadonlyMap<string, ResourceType> = new Map(
  TYPES.map((type) => [type.name, type]),
);

export function findResourceType(name: string): ResourceType | undefined {
  return RESOURCE_TYPES.get(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name);
}
