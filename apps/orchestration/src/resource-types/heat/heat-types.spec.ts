/** Wait conditions, their handles, and software configs. */
import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../json/json.js';
import type { ResourceFacts, ResourceType } from '../resource-type.js';
import { calledIn, testScope } from '../resource-scope.fixture.js';
import { multipart, partsOf } from './mime.js';
import {
  cloudConfig,
  multipartMime,
  softwareConfig,
  structuredConfig,
} from './software-configs.js';
import {
  amazonWaitCondition,
  amazonWaitConditionHandle,
  updateWaitConditionHandle,
  waitCondition,
  WaitConditionFailureError,
  waitConditionHandle,
  WaitConditionTimeoutError,
} from './wait-conditions.js';
import type { StoredSignal } from '../../rows/resource-signal.entity.js';

describe('a wait condition handle', () => {
  it('shows its URL and a command that signals it', async () => {
    const scope = testScope(waitConditionHandle);
    const { data } = await waitConditionHandle.create(scope);
    expect(data).toEqual({ url: 'http://signals.example/web' });
    const values = await waitConditionHandle.attributesOf?.(scope, [
      'endpoint',
      'curl_cli',
      'token',
    ]);
    expect(values).toEqual({
      endpoint: 'http://signals.example/web',
      token: '',
      curl_cli:
        "curl -i -X POST -H 'Content-Type: application/json' -H 'Accept: application/json' 'http://signals.example/web'",
    });
  });

  it('stores signals with defaults', () => {
    expect(waitConditionHandle.parseSignal?.({}, 2)).toEqual({
      id: '2',
      reason: 'status:SUCCESS reason:Signal 2 received',
      isFailure: false,
      content: { status: 'SUCCESS', reason: 'Signal 2 received', data: null },
    });
  });

  it.each<[string, ResourceType, Json]>([
    ['another status', waitConditionHandle, { status: 'WHATEVER' }],
    ['other parts', waitConditionHandle, { statuses: 'SUCCESS' }],
    ['too few parts, of Amazon', amazonWaitConditionHandle, { Status: 'SUCCESS' }],
  ])('refuses a signal with %s', (_, type, details) => {
    expect(() => type.parseSignal?.(details, 1)).toThrow('Metadata format invalid');
  });

  it('of AWS is referred to by its URL, and identified by the URL without its signature', async () => {
    const scope = {
      ...testScope(amazonWaitConditionHandle),
      signalUrl: () => 'http://s/web?Signature=x',
    };
    const { physicalId, data = {} } = await amazonWaitConditionHandle.create(scope);
    expect(physicalId).toBe('http://s/web');
    expect(amazonWaitConditionHandle.referenceOf?.({ ...scope.row, data })).toBe(
      'http://s/web?Signature=x',
    );
  });

  it('for updates is replaced by each update', async () => {
    const scope = testScope(updateWaitConditionHandle);
    const change = { before: {}, changed: new Set<string>(), metadataBefore: {} };
    await expect(updateWaitConditionHandle.update?.(scope, change)).rejects.toThrow('each update');
  });
});

describe('a wait condition', () => {
  const handle = (metadata: Json = {}): ResourceFacts => ({
    id: 'row-2',
    name: 'handle',
    physicalId: 'h',
    data: {},
    metadata,
  });
  const kept = (details: JsonObject): StoredSignal => {
    const signal = waitConditionHandle.parseSignal?.(details, 1);
    if (!signal) throw new Error('A handle keeps signals.');
    return signal;
  };
  const waiting = (signals: readonly JsonObject[], until = Date.now() + 60_000, adopted = {}) =>
    testScope(waitCondition, {
      properties: { handle: 'h', timeout: 60, count: 2 },
      data: { until },
      siblings: { h: handle(adopted) },
      signals: signals.map(kept),
    });
  const success = { status: 'SUCCESS', reason: 'ready', data: 'd' };
  const [first, second] = [
    { ...success, id: 'a' },
    { ...success, id: 'b' },
  ];

  it('is complete with its last signal', async () => {
    expect(await waitCondition.isCreated?.(waiting([first]))).toBe(false);
    expect(await waitCondition.isCreated?.(waiting([first, second]))).toBe(true);
  });

  it('counts each signal in the metadata of its handle once', async () => {
    expect(await waitCondition.isCreated?.(waiting([first], undefined, { a: success }))).toBe(
      false,
    );
    expect(await waitCondition.isCreated?.(waiting([first], undefined, { b: success }))).toBe(true);
    const failed = waiting([first], undefined, { b: { ...success, status: 'FAILURE' } });
    await expect(waitCondition.isCreated?.(failed)).rejects.toThrow(WaitConditionFailureError);
  });

  it("fails with a signal's reason", async () => {
    const failure = { ...second, status: 'FAILURE', reason: 'no disk' };
    await expect(waitCondition.isCreated?.(waiting([first, failure]))).rejects.toThrow(
      new WaitConditionFailureError(['no disk']),
    );
  });

  it('fails when its time is over', async () => {
    await expect(waitCondition.isCreated?.(waiting([first], 0))).rejects.toThrow(
      new WaitConditionTimeoutError(2, ['ready']),
    );
    expect(new WaitConditionTimeoutError(2, ['ready']).message).toBe('1 of 2 received - ready');
  });

  it('shows the data of its signals', async () => {
    expect(await waitCondition.attributesOf?.(waiting([first]), ['data'])).toEqual({
      data: '{"a":"d"}',
    });
  });

  it('requires a handle', async () => {
    const scope = testScope(waitCondition, { properties: { handle: 'x', timeout: 1 } });
    await expect(waitCondition.isCreated?.(scope)).rejects.toThrow(
      'not a valid wait condition handle',
    );
  });

  it('of AWS finds its handle by the signed URL', async () => {
    const signal = { Status: 'SUCCESS', Reason: '', Data: '' };
    const scope = testScope(amazonWaitCondition, {
      properties: { Handle: 'http://s/web?Signature=x', Timeout: 60 },
      siblings: { 'http://s/web': handle({ a: signal }) },
    });
    expect(await amazonWaitCondition.isCreated?.(scope)).toBe(true);
  });
});

describe('a software config', () => {
  const path = '/v1/project-1/software_configs';
  const answers = { [`POST ${path}`]: { software_config: { id: 'c' } } };

  it.each<[ResourceType, Record<string, Json>, Json]>([
    [softwareConfig, { config: 'echo' }, { group: 'Heat::Ungrouped', config: 'echo' }],
    [structuredConfig, { config: { a: 1 } }, { group: 'Heat::Ungrouped', config: { a: 1 } }],
    [
      cloudConfig,
      { cloud_config: { packages: ['nginx'] } },
      { group: 'Heat::Ungrouped', config: '#cloud-config\npackages:\n  - "nginx"\n' },
    ],
  ])('is created and deleted: %#', async (type, properties, body) => {
    const scope = testScope(type, { properties, physicalId: 'c', answers });
    expect(await type.create(scope)).toEqual({ physicalId: 'c' });
    expect(scope.requests[0]?.json).toEqual({ name: 'shop-web-k3jd8s2mxq5p', ...(body as object) });
    await type.remove(scope);
    expect(calledIn(scope).at(-1)).toBe(`DELETE ${path}/c`);
  });

  it('of several parts includes the parts of others', async () => {
    const id = '0b3f8a72-6f0e-4a8e-8f5f-9c9f0e0b7c11';
    const other = multipart([{ content: 'one', subtype: 'x-shellscript' }]);
    const parts = [
      { config: 'zwei ä', subtype: 'cloud-config', type: 'text', filename: null },
      { config: id, type: 'multipart', subtype: null, filename: null },
      { config: 'three', type: 'text', filename: 'part-handler.py', subtype: null },
    ];
    const scope = testScope(multipartMime, {
      properties: { parts },
      answers: { ...answers, [`GET ${path}/${id}`]: { software_config: { config: other } } },
    });
    await multipartMime.create(scope);
    const { config } = (scope.requests.at(-1)?.json ?? {}) as { config: string };
    expect(partsOf(config)).toEqual([
      { content: 'zwei ä', subtype: 'cloud-config' },
      { content: 'one', subtype: 'x-shellscript' },
      { content: 'three', subtype: 'part-handler', filename: 'part-handler.py' },
    ]);
  });
});
