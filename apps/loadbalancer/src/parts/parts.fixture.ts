/** Parts of load balancers as clients ask for them, for tests of any of them. */
import { randomUUID } from 'node:crypto';
import type { TestResponse } from '@cumulet/testing/http-client';
import { listeners, type Listener } from '../tree/listener.entity.js';
import type { LoadBalancerFixture, Wire } from '../loadbalancer.fixture.js';
import { holdBack } from './hold-back.fixture.js';

/** What it asks for is applied while the test waits for that, not before (hold-back.fixture.ts). */
export class Parts {
  readonly fixture: LoadBalancerFixture;

  constructor(given: LoadBalancerFixture) {
    this.fixture = holdBack(given);
  }

  /** @param path below `/v2.0/lbaas` */
  post(path: string, body: object, token = this.fixture.member): Promise<TestResponse> {
    return this.fixture.client.post(`/v2.0/lbaas/${path}`, { token, body });
  }

  put(path: string, body: object, token = this.fixture.member): Promise<TestResponse> {
    return this.fixture.client.put(`/v2.0/lbaas/${path}`, { token, body });
  }

  get(path: string, token = this.fixture.member): Promise<TestResponse> {
    return this.fixture.client.get(`/v2.0/lbaas/${path}`, { token });
  }

  delete(path: string, token = this.fixture.member): Promise<TestResponse> {
    return this.fixture.client.delete(`/v2.0/lbaas/${path}`, { token });
  }

  /** One that has been applied. @param name as bodies name it */
  async create(path: string, name: string, body: object): Promise<Wire> {
    const answer = await this.post(path, { [name]: body });
    if (answer.status !== 201) throw new Error(answer.text);
    await this.fixture.settle();
    return (answer.body as Record<string, Wire>)[name] as Wire;
  }

  /** The name of the list is the last word of the path. */
  async list(path: string, token = this.fixture.member): Promise<Wire[]> {
    const answer = await this.get(path, token);
    if (answer.status !== 200) throw new Error(answer.text);
    const [collection = ''] = path.split('?');
    return (answer.body as Record<string, Wire[]>)[collection.split('/').at(-1) ?? ''] as Wire[];
  }

  show(path: string, name: string): Promise<Wire> {
    return this.fixture.show(path, name);
  }

  /** A listener of its load balancer, which runs. */
  async listener(loadBalancer: Wire, fields: Partial<Listener> = {}): Promise<string> {
    const row = await listeners.insert(this.fixture.ctx, {
      id: randomUUID(),
      loadBalancerId: loadBalancer.id,
      provisioningStatus: 'ACTIVE',
      projectId: loadBalancer.project_id as Listener['projectId'],
      protocol: 'HTTP',
      protocolPort: 80,
      ...fields,
    });
    return row.id;
  }

  /** What the data plane was told last. */
  spec(loadBalancerId: string) {
    const running = this.fixture.dataPlane.running.get(loadBalancerId);
    if (!running) throw new Error(`${loadBalancerId} does not run`);
    return running.spec;
  }
}
