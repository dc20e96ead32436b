/** All types of resources. Whoever adds one adds its page here. */
import { bucket } from './aws/bucket.js';
import { elasticIp, elasticIpAssociation } from './aws/elastic-ip.js';
import { iamAccessKey, iamUser } from './aws/iam.js';
import { instance } from './aws/instance.js';
import { nestedStack } from './aws/nested-stack.js';
import { networkInterface } from './aws/network-interface.js';
import { awsSecurityGroup } from './aws/security-group.js';
import { awsSubnet, vpc } from './aws/vpc.js';
import { certificateContainer, genericContainer, rsaContainer } from './barbican/containers.js';
import { secret } from './barbican/secret.js';
import { webImage } from './glance/web-image.js';
import { remoteStack } from './heat/remote-stack.js';
import {
  cloudConfig,
  multipartMime,
  softwareConfig,
  structuredConfig,
} from './heat/software-configs.js';
import { softwareDeploymentGroup } from './heat/software-deployment-group.js';
import { softwareDeployment } from './heat/software-deployment.js';
import {
  amazonWaitConditionHandle,
  updateWaitConditionHandle,
  waitConditionHandle,
} from './heat/wait-condition-handles.js';
import { amazonWaitCondition, waitCondition } from './heat/wait-conditions.js';
import {
  amazonAutoScalingGroup,
  instanceGroup,
  launchConfiguration,
} from './aws/instance-groups.js';
import { autoScalingGroup } from './heat/auto-scaling-group.js';
import { resourceChain } from './heat/resource-chain.js';
import { resourceGroup } from './heat/resource-group.js';
import { amazonScalingPolicy, scalingPolicy } from './heat/scaling-policies.js';
import { delay } from './heat/delay.js';
import { accessPolicy } from './heat/access-policy.js';
import { softwareComponent } from './heat/software-component.js';
import { structuredDeployment, structuredDeploymentGroup } from './heat/structured-deployments.js';
import { none } from './heat/none.js';
import { randomString } from './heat/random-string.js';
import { testResource } from './heat/test-resource.js';
import { value } from './heat/value.js';
import { domain } from './keystone/domain.js';
import { endpoint } from './keystone/endpoint.js';
import { group } from './keystone/group.js';
import { project } from './keystone/project.js';
import { region } from './keystone/region.js';
import { groupRoleAssignment, userRoleAssignment } from './keystone/role-assignments.js';
import { role } from './keystone/role.js';
import { service } from './keystone/service.js';
import { user } from './keystone/user.js';
import { clusterTemplate } from './magnum/cluster-template.js';
import { cluster } from './magnum/cluster.js';
import { addressGroup } from './neutron/address-group.js';
import { addressScope } from './neutron/address-scope.js';
import { extraRoute, extraRouteSet } from './neutron/extra-routes.js';
import { floatingIpAssociation } from './neutron/floating-ip-association.js';
import { floatingIpPortForwarding } from './neutron/floating-ip-port-forwarding.js';
import { floatingIp } from './neutron/floating-ip.js';
import { net } from './neutron/net.js';
import { port } from './neutron/port.js';
import { providerNet } from './neutron/provider-net.js';
import { qosPolicy } from './neutron/qos-policy.js';
import {
  qosBandwidthLimitRule,
  qosDscpMarkingRule,
  qosMinimumBandwidthRule,
  qosMinimumPacketRateRule,
} from './neutron/qos-rules.js';
import { networkQuota } from './neutron/quota.js';
import { rbacPolicy } from './neutron/rbac-policy.js';
import { routerGateway } from './neutron/router-gateway.js';
import { routerInterface } from './neutron/router-interface.js';
import { router } from './neutron/router.js';
import { securityGroupRule } from './neutron/security-group-rule.js';
import { securityGroup } from './neutron/security-group.js';
import { subnetPool } from './neutron/subnet-pool.js';
import { subnet } from './neutron/subnet.js';
import { trunk } from './neutron/trunk.js';
import { flavor } from './nova/flavor.js';
import { hostAggregate } from './nova/host-aggregate.js';
import { keypair } from './nova/keypair.js';
import { computeQuota } from './nova/quota.js';
import { serverGroup } from './nova/server-group.js';
import { server } from './nova/server.js';
import { balancerZone, balancerZoneProfile } from './octavia/availability-zones.js';
import { balancerFlavor, balancerFlavorProfile } from './octavia/flavors.js';
import { healthMonitor } from './octavia/health-monitor.js';
import { l7Policy } from './octavia/l7-policy.js';
import { l7Rule } from './octavia/l7-rule.js';
import { listener } from './octavia/listener.js';
import { loadBalancer } from './octavia/load-balancer.js';
import { poolMember } from './octavia/pool-member.js';
import { pool } from './octavia/pool.js';
import { balancerQuota } from './octavia/quota.js';
import { container } from './s3/container.js';
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

/** Other names of types: older ones, and those that clients use besides. */
export const ALIASES: Readonly<Record<string, string>> = {
  'OS::Heat::SoftwareDeployments': 'OS::Heat::SoftwareDeploymentGroup',
  'OS::Heat::StructuredDeployments': 'OS::Heat::StructuredDeploymentGroup',
  'OS::Neutron::FloatingIPPortForwarding': 'OS::Neutron::FloatingIPPortForward',
};

export const RESOURCE_TYPES: ReadonlyMap<string, ResourceType> = new Map(
  TYPES.map((type) => [type.name, type]),
);

/** @param name of a type, or another name of it */
export function findResourceType(name: string): ResourceType | undefined {
  return RESOURCE_TYPES.get(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name);
}
