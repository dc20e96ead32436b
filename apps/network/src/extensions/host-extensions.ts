/** Extensions of the hosts of the data plane, and of what asks for some of them. */
import { extension, type Extension } from './extension.js';

export const HOST_EXTENSIONS: readonly Extension[] = [
  extension('agent', 'agent', 'The agent management extension.', '2013-02-03T10:00:00-00:00'),
  extension(
    'availability_zone',
    'Availability Zone',
    'The availability zone extension.',
    '2015-01-01T10:00:00-00:00',
  ),
  extension(
    'availability_zone_filter',
    'Availability Zone Filter Extension',
    'Add filter parameters to AvailabilityZone resource',
    '2018-06-22T10:00:00-00:00',
  ),
  extension(
    'binding-extended',
    'Port Bindings Extended',
    'Expose port bindings of a virtual port to external application',
    '2017-07-17T10:00:00-00:00',
  ),
  extension(
    'network_availability_zone',
    'Network Availability Zone',
    'Availability zone support for network.',
    '2015-01-01T10:00:00-00:00',
  ),
  extension(
    'router_availability_zone',
    'Router Availability Zone',
    'Availability zone support for router.',
    '2015-01-01T10:00:00-00:00',
  ),
];
