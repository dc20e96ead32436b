import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

interface GaugeValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** A service's Prometheus metrics, in a registry of its own so that one process can hold several. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly reconciles: Counter<'resource' | 'outcome'>;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    // Milliseconds between measurements of the event loop's lag, each of which wakes an idle
    // process.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 100 });
    this.requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of HTTP requests by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
    this.reconciles = new Counter({
      name: 'reconcile_runs_total',
      help: 'Runs of reconcilers by resource and outcome.',
      labelNames: ['resource', 'outcome'],
      registers: [this.registry],
    });
  }

  /** A counter specific to this service. */
  counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }

  /** A gauge that is read on each scrape, and left out if that fails. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<readonly GaugeValue<Label>[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        const samples = await read().catch(() => []);
        this.reset();
        for (const { labels, value } of samples) this.set(labels, value);
      },
    });
  }

  /** Adds the length of the service's job queue, read on each scrape. */
  watchJobs(count: () => Promise<number>): void {
    new Gauge({
      name: 'jobs_waiting',
      help: 'Jobs that are due or will be.',
      registers: [this.registry],
      async collect() {
        // Without the database the length is unknown; all other metrics are still reported.
        this.set(await count().catch(() => Number.NaN));
      },
    });
  }
}
