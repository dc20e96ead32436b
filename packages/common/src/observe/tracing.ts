/**
 * OpenTelemetry traces, if an endpoint is set. Its packages are loaded only then, to save memory.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Time for the remaining spans when the process stops. */
const LAST_SPANS_MS = 1_000;

const spans = new WeakMap<FastifyRequest, Span>();

/**
 * Call it once per process.
 * @param endpoint the collector; without one there are no traces
 * @returns a function that sends the remaining spans and stops; an unreachable collector neither
 * delays nor fails it
 */
export async function startTracing(
  endpoint: string | undefined,
  service: string,
): Promise<() => Promise<void>> {
  if (endpoint === undefined) return () => Promise.resolve();
  const [
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { BatchSpanProcessor, NodeTracerProvider },
  ] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-node'),
  ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })),
    ],
  });
  provider.register();
  return async () => {
    const sent = provider.shutdown().catch(() => undefined);
    await Promise.race([sent, delay(LAST_SPANS_MS, undefined, { ref: false })]);
  };
}

/** One server span per request, a child of the caller's if it sends `traceparent`. */
export function traceRequests(fastify: FastifyInstance, service: string): void {
  const tracer = trace.getTracer(`cumulet.${service}`);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const parent = propagation.extract(context.active(), request.headers);
    const route = request.routeOptions.url ?? 'unknown';
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'request.id': request.id,
        },
      },
      parent,
    );
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}

/** Headers that carry the open span to a sister service; none if nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
