import { afterEach, describe, expect, it } from '@jest/globals';
import { asBearer } from '@cumulet/clients/http/actor';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import type { ServiceClient } from '@cumulet/clients/http/service-client';
import type { ServiceRequest } from '@cumulet/clients/http/service-request';
import { StackValidationFailedError } from '../template/template.errors.js';
import { answerQuestions } from '../engine/service-ports.js';
import { LookupError, ServiceLookups } from './service-lookups.js';
import type { Services } from '../sister-services.js';

const ID = '6f70656e-7374-6163-6b20-342065766572';
const OTHER = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';

type Answer = unknown;

/** Answers requests by path and query. */
class KnownService {
  readonly asked: string[] = [];

  constructor(private readonly answers: Readonly<Record<string, Answer>>) {}

  readonly send = ({ path, query = {} }: ServiceRequest): Promise<{ body: unknown }> => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const whole = `${path}${given.map(([key, value]) => `?${key}=${String(value)}`).join('')}`;
    this.asked.push(whole);
    const answer = this.answers[whole];
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer === undefined) return Promise.reject(new ServiceRefusedError('it', 404, 'No such.'));
    return Promise.resolve({ body: answer });
  };

  readonly find = async (request: ServiceRequest): Promise<{ body: unknown } | undefined> => {
    try {
      return await this.send(request);
    } catch (error) {
      if (error instanceof ServiceRefusedError && error.status === 404) return undefined;
      throw error;
    }
  };
}

let service = new KnownService({});

function lookups(answers: Readonly<Record<string, Answer>>): ServiceLookups {
  service = new KnownService(answers);
  const client = service as unknown as ServiceClient;
  const names = ['compute', 'network', 'images', 'identity', 'loadBalancer', 'secrets'];
  const services = Object.fromEntries(names.map((name) => [name, client])) as unknown as Services;
  return new ServiceLookups({ services, actor: asBearer('token'), projectId: 'p1' });
}

afterEach(() => {
  service = new KnownService({});
});

describe('ServiceLookups', () => {
  it.each<[string, string, Readonly<Record<string, Answer>>, string]>([
    ['neutron.network', ID, { [`/v2.0/networks/${ID}`]: { network: { id: ID } } }, ID],
    [
      'neutron.network',
      'private',
      { '/v2.0/networks?name=private': { networks: [{ id: ID, name: 'private' }] } },
      ID,
    ],
    [
      'neutron.security_group',
      'default',
      {
        '/v2.0/security-groups?name=default?project_id=p1': {
          security_groups: [{ id: ID, name: 'default' }],
        },
      },
      ID,
    ],
    [
      'nova.flavor',
      'm1.tiny',
      {
        '/v2.1/flavors': {
          flavors: [
            { id: '1', name: 'm1.tiny' },
            { id: '2', name: 'm1.tiny2' },
          ],
        },
      },
      '1',
    ],
    [
      'nova.keypair',
      'my key',
      { '/v2.1/os-keypairs/my%20key': { keypair: { name: 'my key' } } },
      'my key',
    ],
    ['nova.keypair', '', {}, ''],
    [
      'nova.host',
      'host1',
      { '/v2.1/os-hypervisors': { hypervisors: [{ id: 7, hypervisor_hostname: 'host1' }] } },
      'host1',
    ],
    ['glance.image', ID, { [`/v2/images/${ID}`]: { id: ID } }, ID],
    [
      'keystone.user',
      'jo{own}',
      {
        '/v3/domains/own': { domain: { id: 'd1' } },
        '/v3/users?name=jo?domain_id=d1': { users: [{ id: 'u1', name: 'jo' }] },
      },
      'u1',
    ],
    [
      'barbican.secret',
      `http://secrets/v1/secrets/${ID}`,
      { [`/v1/secrets/${ID}`]: { secret_ref: `http://secrets/v1/secrets/${ID}` } },
      `http://secrets/v1/secrets/${ID}`,
    ],
    [
      'neutron.qos_policy',
      'gold',
      { '/v2.0/qos/policies?name=gold': { policies: [{ id: ID, name: 'gold' }] } },
      ID,
    ],
  ])('finds the %s %j', async (constraint, value, answers, found) => {
    expect(await lookups(answers).find(constraint, value)).toBe(found);
  });

  it('requests each resource once', async () => {
    const asked = lookups({ [`/v2.0/ports/${ID}`]: { port: { id: ID } } });
    await Promise.all([asked.find('neutron.port', ID), asked.find('neutron.port', ID)]);
    await asked.find('neutron.port', ID);
    expect(service.asked).toEqual([`/v2.0/ports/${ID}`]);
  });

  it('refuses an ambiguous name', async () => {
    const networks = [ID, OTHER].map((id) => ({ id, name: 'private' }));
    const found = lookups({ '/v2.0/networks?name=private': { networks } });
    await expect(found.find('neutron.network', 'private')).rejects.toThrow(
      'Multiple physical resources were found with name (private).',
    );
  });

  it.each([
    [
      'neutron.network',
      'none',
      { '/v2.0/networks?name=none': { networks: [] } },
      'The network (none) could not be found.',
    ],
    ['nova.server', 'none', {}, 'The Server (none) could not be found.'],
    ['keystone.region', '', {}, 'The KeystoneRegion () could not be found.'],
    ['magnum.cluster_template', 'k8s', {}, 'This cloud has no service that has a ClusterTemplate.'],
  ])('reports that there is no %s %j', async (constraint, value, answers, message) => {
    await expect(lookups(answers).find(constraint, value)).rejects.toThrow(
      new LookupError(message),
    );
  });

  it("reports the service's own message when it refuses", async () => {
    const refusal = new ServiceRefusedError('compute', 403, 'Not for you.');
    const asked = lookups({ '/v2.1/os-hypervisors': refusal });
    await expect(asked.find('nova.host', 'h')).rejects.toThrow(new LookupError('Not for you.'));
  });

  it('throws ServiceUnavailableError for an unreachable service', async () => {
    const asked = lookups({ '/v2.1/flavors/x': new ServiceUnavailableError('compute', 'down') });
    await expect(asked.find('nova.flavor', 'x')).rejects.toThrow(ServiceUnavailableError);
  });
});

describe('answerQuestions', () => {
  const flavors = { '/v2.1/flavors': { flavors: [{ id: '1', name: 'm1.tiny' }] } };

  it('passes when services have everything', async () => {
    const question = { constraint: 'nova.flavor', value: 'm1.tiny', path: 'parameters.flavor' };
    await expect(answerQuestions([question, question], lookups(flavors))).resolves.toBeUndefined();
  });

  it.each([
    [
      { path: 'parameters.flavor' },
      "Parameter 'flavor' is invalid: Error validating value 'big': The Flavor (big) could not be found.",
    ],
    [
      { path: 'resources.web.properties.flavor' },
      "Property error: : resources.web.properties.flavor: : Error validating value 'big': The Flavor (big) could not be found.",
    ],
    [
      { path: 'parameters.flavor', description: 'A flavor.' },
      "Parameter 'flavor' is invalid: A flavor.",
    ],
    [
      { path: 'parameters.flavor', isSecret: true as const },
      "Parameter 'flavor' is invalid: Error validating value '******'",
    ],
  ])('reports %j', async (place, message) => {
    const question = { constraint: 'nova.flavor', value: 'big', ...place };
    await expect(answerQuestions([question], lookups(flavors))).rejects.toThrow(
      new StackValidationFailedError(message),
    );
  });
});
